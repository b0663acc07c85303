/** Which code points a place in a pattern takes. */
export interface CharacterSet {
  readonly negated: boolean;
  /** Pairs of first and last. */
  readonly ranges: readonly (readonly [number, number])[];
  /** Unicode properties, and classes within a class. */
  readonly others: readonly ((code: number) => boolean)[];
  readonly ignoreCase: boolean;
}

export function singleCharacter(code: number, ignoreCase: boolean): CharacterSet {
  return { negated: false, ranges: [[code, code]], others: [], ignoreCase };
}

export function hasCharacter(set: CharacterSet, code: number): boolean {
  if (holds(set, code)) return !set.negated;
  if (!set.ignoreCase) return set.negated;
  const character = String.fromCodePoint(code);
  const folded =
    holdsText(set, character.toLowerCase()) ||
    holdsText(set, character.toUpperCase()) ||
    (code === 0x212a && holds(set, 0x6b)) ||
    ((code === 0x6b || code === 0x4b) && holds(set, 0x212a));
  return folded !== set.negated;
}

function holdsText(set: CharacterSet, text: string): boolean {
  const code = text.codePointAt(0);
  return code !== undefined && text.length === String.fromCodePoint(code).length && holds(set, code);
}

function holds(set: CharacterSet, code: number): boolean {
  for (const [first, last] of set.ranges) if (code >= first && code <= last) return true;
  for (const other of set.others) if (other(code)) return true;
  return false;
}

type Ranges = readonly (readonly [number, number])[];

const digits: Ranges = [[0x30, 0x39]];
const lower: Ranges = [[0x61, 0x7a]];
const upper: Ranges = [[0x41, 0x5a]];

export const perlClasses: Readonly<Record<string, Ranges>> = {
  d: digits,
  s: [
    [0x09, 0x0a],
    [0x0c, 0x0d],
    [0x20, 0x20],
  ],
  w: [...digits, ...upper, [0x5f, 0x5f], ...lower],
};

export const posixClasses: Readonly<Record<string, Ranges>> = {
  alnum: [...digits, ...upper, ...lower],
  alpha: [...upper, ...lower],
  ascii: [[0x00, 0x7f]],
  blank: [
    [0x09, 0x09],
    [0x20, 0x20],
  ],
  cntrl: [
    [0x00, 0x1f],
    [0x7f, 0x7f],
  ],
  digit: digits,
  graph: [[0x21, 0x7e]],
  lower,
  print: [[0x20, 0x7e]],
  punct: [
    [0x21, 0x2f],
    [0x3a, 0x40],
    [0x5b, 0x60],
    [0x7b, 0x7e],
  ],
  space: [
    [0x09, 0x0d],
    [0x20, 0x20],
  ],
  upper,
  word: [...digits, ...upper, ...lower, [0x5f, 0x5f]],
  xdigit: [...digits, [0x41, 0x46], [0x61, 0x66]],
};

/** Undefined for a name that Unicode does not have. Go knows general categories and scripts. */
export function unicodeProperty(name: string): ((code: number) => boolean) | undefined {
  if (name === "Any") return () => true;
  for (const form of [`\\p{General_Category=${name}}`, `\\p{Script=${name}}`]) {
    try {
      const expression = new RegExp(`^${form}$`, "u");
      return (code) => expression.test(String.fromCodePoint(code));
    } catch {
      // Not a name of this kind: the other kind may have it.
    }
  }
  return undefined;
}
