const OFFSET_BASIS = 0x811c9dc5;
const PRIME = 0x01000193;
const ORDINAL = /^(?<rest>.*)-(?<ordinal>[0-9]+)$/su;
const MAXIMUM_ORDINAL = 2 ** 32 - 1;

/**
 * Where in a list of `count` places a claim without a node begins, so that the claims of a StatefulSet go around them. They are
 * named `claim-set-ordinal`; the set's name gives the start and the ordinal the step, so that several claims of one Pod begin at
 * the same place. Names such as `name-ordinal` go around too.
 */
export function spreadOffset(claimName: string, count: number): number {
  const { name, ordinal } = spreadParts(claimName);
  // As 32-bit numbers that wrap around: other provisioners of the same claim must come to the same place.
  return ((fnv1of(name) + ordinal) >>> 0) % count;
}

function spreadParts(claimName: string): { name: string; ordinal: number } {
  const { rest, ordinal } = ORDINAL.exec(claimName)?.groups ?? {};
  if (rest === undefined || Number(ordinal) > MAXIMUM_ORDINAL) return { name: claimName, ordinal: 0 };
  return { name: rest.slice(rest.lastIndexOf("-") + 1), ordinal: Number(ordinal) };
}

/** FNV-1, which multiplies first; FNV-1a would put existing StatefulSets elsewhere. */
function fnv1of(text: string): number {
  let hash = OFFSET_BASIS;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash, PRIME) ^ byte;
  return hash >>> 0;
}
