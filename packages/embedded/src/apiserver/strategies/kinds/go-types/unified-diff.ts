/** A run of lines that both texts have. */
interface Match {
  readonly a: number;
  readonly b: number;
  readonly size: number;
}

/** Where a part of one text took the place of a part of the other; equal parts are between them. */
interface Edit {
  readonly isEqual: boolean;
  readonly a: readonly [from: number, to: number];
  readonly b: readonly [from: number, to: number];
}

const context = 3;

/** What changed between two texts, in the form that `diff -u` has made known, without names of files. Empty when nothing did. */
export function unifiedDiff(before: string, after: string): string {
  const [a, b] = [lines(before), lines(after)];
  return hunks(edits(a, b))
    .map((hunk) => hunkText(hunk, a, b))
    .join("");
}

/** The last line ends like the others, as the original's library has it. */
function lines(text: string): string[] {
  return text.split("\n").map((line) => `${line}\n`);
}

function edits(a: readonly string[], b: readonly string[]): Edit[] {
  const result: Edit[] = [];
  let [i, j] = [0, 0];
  const end: Match = { a: a.length, b: b.length, size: 0 };
  for (const match of [...joined(matches(a, b)), end]) {
    if (i < match.a || j < match.b) result.push({ isEqual: false, a: [i, match.a], b: [j, match.b] });
    [i, j] = [match.a + match.size, match.b + match.size];
    if (match.size > 0) result.push({ isEqual: true, a: [match.a, i], b: [match.b, j] });
  }
  return result;
}

/** The longest run that both have, then the same to the left and to the right of it. */
function matches(a: readonly string[], b: readonly string[]): Match[] {
  const places = rarePlaces(b);
  function between(aFrom: number, aTo: number, bFrom: number, bTo: number): Match[] {
    const [aRange, bRange] = [[aFrom, aTo] as const, [bFrom, bTo] as const];
    const best = extended(longest({ a, places }, aRange, bRange), { a, b, aRange, bRange });
    if (best.size === 0) return [];
    return [
      ...between(aFrom, best.a, bFrom, best.b),
      best,
      ...between(best.a + best.size, aTo, best.b + best.size, bTo),
    ];
  }
  return between(0, a.length, 0, b.length);
}

/** Lines that a long text is full of begin no run, so that they cannot pull it apart. */
function rarePlaces(b: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const places = Map.groupBy(b.keys(), (index) => b[index] ?? "");
  if (b.length < 200) return places;
  const most = Math.floor(b.length / 100) + 1;
  return new Map([...places].filter(([, indexes]) => indexes.length <= most));
}

interface Extension {
  readonly a: readonly string[];
  readonly b: readonly string[];
  readonly aRange: Range;
  readonly bRange: Range;
}

/** They may be at both ends of one. */
function extended(match: Match, { a, b, aRange, bRange }: Extension): Match {
  let { a: i, b: j, size } = match;
  while (i > aRange[0] && j > bRange[0] && a[i - 1] === b[j - 1]) [i, j, size] = [i - 1, j - 1, size + 1];
  while (i + size < aRange[1] && j + size < bRange[1] && a[i + size] === b[j + size]) size += 1;
  return { a: i, b: j, size };
}

interface Texts {
  readonly a: readonly string[];
  /** Where each line is in the other text. */
  readonly places: ReadonlyMap<string, readonly number[]>;
}

type Range = readonly [from: number, to: number];

function longest({ a, places }: Texts, [aFrom, aTo]: Range, [bFrom, bTo]: Range): Match {
  let best: Match = { a: aFrom, b: bFrom, size: 0 };
  let lengths = new Map<number, number>();
  for (let i = aFrom; i < aTo; i++) {
    const next = new Map<number, number>();
    for (const j of places.get(a[i] ?? "") ?? []) {
      if (j < bFrom || j >= bTo) continue;
      const size = (lengths.get(j - 1) ?? 0) + 1;
      next.set(j, size);
      if (size > best.size) best = { a: i - size + 1, b: j - size + 1, size };
    }
    lengths = next;
  }
  return best;
}

/** Runs that follow each other without a gap are one. */
function joined(found: readonly Match[]): Match[] {
  const result: Match[] = [];
  for (const match of found) {
    const last = result.at(-1);
    const follows = last !== undefined && last.a + last.size === match.a && last.b + last.size === match.b;
    if (follows) result.splice(-1, 1, { ...last, size: last.size + match.size });
    else result.push(match);
  }
  return result;
}

/** Changes with a few lines around them; those that are near each other come together. */
function hunks(all: readonly Edit[]): Edit[][] {
  const result: Edit[][] = [];
  let hunk: Edit[] = [];
  for (const [index, edit] of all.entries()) {
    const isFirst = index === 0;
    const isLast = index === all.length - 1;
    const size = edit.a[1] - edit.a[0];
    if (!edit.isEqual) hunk.push(edit);
    else if (isFirst || isLast) hunk.push(isFirst ? tail(edit) : head(edit));
    else if (size > context * 2) {
      result.push([...hunk, head(edit)]);
      hunk = [tail(edit)];
    } else hunk.push(edit);
  }
  result.push(hunk);
  return result.filter((edits) => edits.some(({ isEqual }) => !isEqual));
}

function head({ isEqual, a, b }: Edit): Edit {
  return { isEqual, a: [a[0], Math.min(a[1], a[0] + context)], b: [b[0], Math.min(b[1], b[0] + context)] };
}

function tail({ isEqual, a, b }: Edit): Edit {
  return { isEqual, a: [Math.max(a[0], a[1] - context), a[1]], b: [Math.max(b[0], b[1] - context), b[1]] };
}

function hunkText(hunk: readonly Edit[], a: readonly string[], b: readonly string[]): string {
  const [first, last] = [hunk[0], hunk.at(-1)];
  if (first === undefined || last === undefined) return "";
  const title = `@@ -${rangeText([first.a[0], last.a[1]])} +${rangeText([first.b[0], last.b[1]])} @@\n`;
  const body = hunk.flatMap((edit) =>
    edit.isEqual
      ? a.slice(...edit.a).map((line) => ` ${line}`)
      : [...a.slice(...edit.a).map((line) => `-${line}`), ...b.slice(...edit.b).map((line) => `+${line}`)],
  );
  return title + body.join("");
}

function rangeText([from, to]: Range): string {
  const size = to - from;
  if (size === 1) return `${from + 1}`;
  return size === 0 ? `${from},0` : `${from + 1},${size}`;
}
