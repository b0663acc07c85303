import { type FieldCheck, invalid } from "./violation.ts";

/** The specification's limit for strings. Paths override it, and IDs in use are longer on some clouds. */
const maximumNameBytes = 128;

/** The control characters that the specification bans: all but tab, line feed and carriage return. */
// oxlint-disable-next-line no-control-regex
const bannedCharacters = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/u;

/** A missing value: the empty string, list or message. `hint` says what to send. */
export function required(hint: string): FieldCheck<string | readonly unknown[] | object | undefined> {
  return (value) => {
    const isMissing = value === undefined || value === "" || (Array.isArray(value) && value.length === 0);
    return isMissing ? invalid(`is required: ${hint}`) : undefined;
  };
}

/** A name that the caller suggests, which drivers use for files, images and the like. */
export const suggestedName: FieldCheck<string> = (name) => {
  const sizeBytes = Buffer.byteLength(name);
  if (sizeBytes > maximumNameBytes) {
    return invalid(`has ${sizeBytes} bytes, at most ${maximumNameBytes} are allowed: choose a shorter one`);
  }
  return identifier(name);
};

/** An ID that a driver gave out earlier. */
export const identifier: FieldCheck<string> = (id) => {
  if (bannedCharacters.test(id)) return invalid("holds control characters: remove them");
  return hasParentSegment(id) ? invalid('holds a ".." path segment: remove it') : undefined;
};

export const identifiers: FieldCheck<readonly string[]> = (ids) => {
  if (ids.includes("")) return invalid("holds an empty ID: remove it, or give the ID");
  return ids.map(identifier).find((violation) => violation !== undefined);
};

/** A place in the file system of the driver's process. Left out is fine: `required` is a check of its own. */
export const absolutePath: FieldCheck<string> = (path) => {
  if (path !== "" && !path.startsWith("/")) return invalid("is not an absolute path: begin it with a slash");
  return anyPath(path);
};

/** A path whose existence the driver judges: a relative one is not found rather than invalid. */
export const anyPath: FieldCheck<string> = (path) => {
  if (path.includes("\0")) return invalid("holds a NUL character: remove it");
  return hasParentSegment(path) ? invalid('holds a ".." segment: give the path without it') : undefined;
};

function hasParentSegment(text: string): boolean {
  return text.includes("..") && text.split("/").includes("..");
}
