const SHOWN_CHARACTERS = 200;

/** The beginning of a foreign text on one line: enough to recognise it by in an error. */
export function excerpt(text: string): string {
  const line = onOneLine(text.slice(0, 4 * SHOWN_CHARACTERS));
  if (line === "") return "(an empty body)";
  return line.length > SHOWN_CHARACTERS ? `${line.slice(0, SHOWN_CHARACTERS)} …` : line;
}

export function excerptOfEnd(text: string): string {
  return `… ${onOneLine(text.slice(-SHOWN_CHARACTERS))}`;
}

function onOneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
