/** One word of a shell, whatever is in it. */
export function shellQuoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

export function shellWords(words: readonly string[]): string {
  return words.map(shellQuoted).join(" ");
}
