const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};
const letters = new Map(Object.entries(entities).map(([letter, entity]) => [entity, letter]));

export function escapeXml(text: string): string {
  return text.replaceAll(/[&<>"']/gu, (letter) => entities[letter] ?? letter);
}

export function unescapeXml(text: string): string {
  return text.replaceAll(
    /&(?:(amp|lt|gt|quot|apos)|#(\d+)|#x([\da-fA-F]+));/gu,
    (entity, _name, decimal, hexadecimal) => {
      const code = decimal ?? (hexadecimal && Number.parseInt(hexadecimal, 16));
      return code === undefined ? (letters.get(entity) ?? entity) : String.fromCodePoint(Number(code));
    },
  );
}

/** Of the first element of that name which holds text alone. Answers are read by what is looked for in them: it is never much. */
export function elementText(xml: string, name: string): string | undefined {
  const text = new RegExp(`<${name}(?:\\s[^>]*)?>([^<]*)</${name}>`, "u").exec(xml)?.[1];
  return text === undefined ? undefined : unescapeXml(text);
}

/** Of all elements of that name, what is in them. None may be within another. */
export function elementsIn(xml: string, name: string): string[] {
  const found = xml.matchAll(new RegExp(`<${name}(?:\\s[^>]*)?>(.*?)</${name}>`, "gsu"));
  return [...found].map(([, content = ""]) => content);
}
