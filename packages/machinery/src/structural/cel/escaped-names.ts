const reserved: ReadonlySet<string> = new Set([
  "true",
  "false",
  "null",
  "in",
  "as",
  "break",
  "const",
  "continue",
  "else",
  "for",
  "function",
  "if",
  "import",
  "let",
  "loop",
  "package",
  "namespace",
  "return",
  "var",
  "void",
  "while",
]);

const escapes: Readonly<Record<string, string>> = {
  __: "__underscores__",
  ".": "__dot__",
  "-": "__dash__",
  "/": "__slash__",
};

const unescapes: ReadonlyMap<string, string> = new Map(
  Object.entries(escapes).map(([text, escaped]) => [escaped, text]),
);

/** The name by which an expression reaches a property; undefined for a property that it cannot reach. */
export function escapeName(name: string): string | undefined {
  if (reserved.has(name)) return `__${name}__`;
  if (!/^[a-zA-Z_./-][a-zA-Z0-9_./-]*$/.test(name)) return undefined;
  return name.replace(/__|[-./]/g, (text) => escapes[text] ?? text);
}

/** The property that a name in an expression means; undefined for one that means none. */
export function unescapeName(escaped: string): string | undefined {
  let isKnown = true;
  const name = escaped.replace(/__[^_]+__/g, (text) => {
    const plain = unescapes.get(text);
    if (plain !== undefined) return plain;
    const word = text.slice(2, -2);
    if (!reserved.has(word) || text.length !== escaped.length) isKnown = false;
    return word;
  });
  return isKnown ? name : undefined;
}
