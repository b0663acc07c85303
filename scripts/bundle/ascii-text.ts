/**
 * The text with what is not Latin-1 as escapes: V8 keeps a text in two bytes per character as soon as one of them needs it, which
 * would double the bundle in memory. Columns move on the lines concerned, lines stay. Comments of the sources are gone by now, so
 * all of it is in strings, templates and regular expressions, where the escape means the same, unless a backslash stands before
 * it: then the text is left as it is.
 */
export function asciiText(code: string): string {
  if (/\\[^\0-\xff]/.test(code)) return code;
  return code.replaceAll(/[^\0-\xff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
