import { StowageError } from "../errors/stowage-error.ts";

/**
 * The parts of a JSON Pointer (RFC 6901), unescaped; none for the whole document. Whatever stands before the first slash is not
 * looked at: the API server takes `data/a` for `/a`.
 */
export function parsePointer(pointer: string): string[] {
  if (pointer === "") return [];
  if (!pointer.includes("/")) {
    throw new StowageError("INVALID_PATCH", `The path ${JSON.stringify(pointer)} has no slash`);
  }
  return pointer
    .slice(pointer.indexOf("/") + 1)
    .split("/")
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** `pointer` extended by one part. */
export function extendPointer(pointer: string, part: string | number): string {
  return `${pointer}/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
