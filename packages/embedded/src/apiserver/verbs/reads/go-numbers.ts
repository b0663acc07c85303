/** Whole numbers as Go reads them from a query, and what it says of those that are none. */
type GoNumber = { readonly value: bigint } | { readonly problem: string };

const int64 = { name: "ParseInt", pattern: /^[+-]?\d+$/u, least: -(2n ** 63n), most: 2n ** 63n - 1n };
const uint64 = { name: "ParseUint", pattern: /^\d+$/u, least: 0n, most: 2n ** 64n - 1n };

export function parseInt64(text: string): GoNumber {
  return parse(text, int64);
}

export function parseUint64(text: string): GoNumber {
  return parse(text, uint64);
}

function parse(text: string, { name, pattern, least, most }: typeof int64): GoNumber {
  const problem = (why: string) => ({ problem: `strconv.${name}: parsing ${JSON.stringify(text)}: ${why}` });
  if (!pattern.test(text)) return problem("invalid syntax");
  const value = BigInt(text.replace(/^\+/u, ""));
  return value < least || value > most ? problem("value out of range") : { value };
}
