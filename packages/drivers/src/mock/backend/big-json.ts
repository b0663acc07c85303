/** JSON that keeps bigints, which JSON's own numbers cannot hold, as `{"$bytes": "123"}`. */
export function toJson(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) =>
    typeof member === "bigint" ? { $bytes: String(member) } : member,
  );
}

export function fromJson(text: string): unknown {
  return JSON.parse(text, (_name, member: unknown) => (isBytes(member) ? BigInt(member.$bytes) : member));
}

function isBytes(member: unknown): member is { $bytes: string } {
  return typeof member === "object" && member !== null && "$bytes" in member && typeof member.$bytes === "string";
}
