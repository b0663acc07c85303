/**
 * A whole number of any size for a field of the API. JSON has no limit, but numbers here lose digits beyond 2^53, such as those of
 * nanoseconds since 1970; written raw they go over the wire as they are.
 */
export function jsonInteger(value: bigint): number {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : (JSON as unknown as RawJson).rawJSON(String(value));
}

interface RawJson {
  rawJSON(text: string): number;
}
