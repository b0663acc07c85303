import { StowageError } from "../errors/stowage-error.ts";

/** The parts of a JSON Pointer (RFC 6901), unescaped; none for the whole document. */
export function parsePointer(pointer: string): string[] {
  if (pointer === "") return [];
  if (!pointer.startsWith("/")) {
    throw new StowageError("INVALID_PATCH", `The path ${JSON.stringify(pointer)} does not begin with a slash`);
  }
  return pointer
    .slice(1)
    .split("/")
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** `pointer` extended by one part. */
export function extendPointer(pointer: string, part: string | number): string {
  return `${pointer}/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
