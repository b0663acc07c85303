/** Strings in the order of their UTF-8 bytes; JavaScript's own order differs beyond the basic plane. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  let position = 0;
  while (position < length && a.charCodeAt(position) === b.charCodeAt(position)) position++;
  if (position === length) return a.length < b.length ? -1 : 1;
  return orderedUnit(a.charCodeAt(position)) < orderedUnit(b.charCodeAt(position)) ? -1 : 1;
}

/** Surrogates stand for what comes after the rest of the basic plane. */
function orderedUnit(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}
