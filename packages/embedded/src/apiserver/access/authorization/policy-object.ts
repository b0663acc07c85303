/** A role or binding from its text. A list that is null is one that is left out, and must not end a decision. */
export function decodePolicy(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown) => value ?? undefined);
}
