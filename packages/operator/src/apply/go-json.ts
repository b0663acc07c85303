/**
 * JSON as Go's `encoding/json` prints maps: names sorted, no spaces, and `<`, `>`, `&` and two line separators escaped. For hashes
 * that must not depend on the order in which an object was put together.
 */
export function goJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(goJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return escapeAsGo(JSON.stringify(value) ?? "null");
  // Not by sorting the fields of an object: JavaScript puts names that are numbers first.
  const fields = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([name, item]) => `${escapeAsGo(JSON.stringify(name))}:${goJson(item)}`).join(",")}}`;
}

function escapeAsGo(json: string): string {
  return json.replaceAll(
    /[<>&\u2028\u2029]/gu,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`,
  );
}
