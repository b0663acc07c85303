import { fnv1a64 } from "./fnv.ts";

const hashLength = 16;

/**
 * Joins the parts with dashes. A name that would be longer than `maxLength` is cut and ends in a hash of all parts, so that
 * different parts still give different names, and the same parts always the same one. Changing this renames what exists.
 */
export function hashedName(parts: readonly string[], maxLength: number): string {
  const joined = parts.join("-");
  if (joined.length <= maxLength) return joined;
  if (maxLength < hashLength) {
    throw new RangeError(`a hashed name needs at least ${hashLength} characters, not ${maxLength}`);
  }
  // A slash is in no part, so that a-b with c and a with b-c do not hash alike.
  const hash = fnv1a64(parts.join("/")).toString(16).padStart(hashLength, "0");
  const readable = joined.slice(0, Math.max(0, maxLength - hashLength - 1)).replace(/[^A-Za-z0-9]+$/, "");
  return readable === "" ? hash : `${readable}-${hash}`;
}
