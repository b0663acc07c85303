/** The wording is Kubernetes' own, down to the comma before "or": people search for these sentences. */
export function patternMessage(rule: string, pattern: string, examples: readonly string[]): string {
  const quoted = examples.map((example) => `'${example}', `).join(" or ");
  return `${rule} (e.g. ${quoted}regex used for validation is '${pattern}')`;
}

/** Kubernetes counts bytes, whichever word its message uses. */
export function byteLength(value: string): number {
  return Buffer.byteLength(value);
}
