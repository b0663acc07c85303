const lineWidth = 120;

/** JSON laid out as the formatter would: what fits on a line stays on it, so that a diff shows the one field that changed. */
export function layOutJson(value: unknown): string {
  return `${layOut(value, "", 0)}\n`;
}

/** `taken` is what the line holds besides the indentation and the value: the field's name, and a comma. */
function layOut(value: unknown, indent: string, taken: number): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const flat = onOneLine(value);
  if (indent.length + taken + flat.length <= lineWidth) return flat;
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  const inner = `${indent}  `;
  const entries = Object.entries(value);
  const lines = entries.map(([key, item], position) => {
    const name = Array.isArray(value) ? "" : `${JSON.stringify(key)}: `;
    const comma = position < entries.length - 1 ? "," : "";
    return `${inner}${name}${layOut(item, inner, name.length + comma.length)}${comma}\n`;
  });
  return `${open}\n${lines.join("")}${indent}${close}`;
}

function onOneLine(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(", ")}]`;
  const fields = Object.entries(value).map(([key, field]) => `${JSON.stringify(key)}: ${onOneLine(field)}`);
  return fields.length === 0 ? "{}" : `{ ${fields.join(", ")} }`;
}
