import { hasCharacter } from "./character-set.ts";
import type { Instruction } from "./regex-program.ts";
import { assertionHolds, type Neighbour, neighbourOf } from "./surroundings.ts";

export interface Match {
  readonly start: number;
  readonly end: number;
}

/** A way through the program that is still open; those before it are preferred. */
interface Thread {
  readonly place: number;
  readonly start: number;
}

/** The first match at or after a place, by running all ways at once in the order of preference. */
export function findMatch(
  program: readonly Instruction[],
  characters: readonly string[],
  from: number,
): Match | undefined {
  let threads: Thread[] = [];
  let best: Match | undefined;
  for (let position = from; position <= characters.length; position++) {
    if (best === undefined) threads.push({ place: 0, start: position });
    else if (threads.length === 0) break;
    const before = neighbourOf(characters[position - 1]?.codePointAt(0));
    const code = characters[position]?.codePointAt(0);
    const open = follow(program, threads, before, neighbourOf(code));
    threads = [];
    for (const { place, start } of open) {
      const instruction = program[place];
      if (instruction?.op === "match") {
        best = { start, end: position };
        break;
      }
      if (instruction?.op === "take" && code !== undefined && hasCharacter(instruction.set, code))
        threads.push({ place: place + 1, start });
    }
  }
  return best;
}

function follow(
  program: readonly Instruction[],
  threads: readonly Thread[],
  before: Neighbour,
  after: Neighbour,
): Thread[] {
  const seen = new Set<number>();
  const open: Thread[] = [];
  const waiting = threads.toReversed();
  for (let thread = waiting.pop(); thread !== undefined; thread = waiting.pop()) {
    const { place, start } = thread;
    if (seen.has(place)) continue;
    seen.add(place);
    const instruction = program[place];
    if (instruction === undefined) continue;
    if (instruction.op === "jump") waiting.push({ place: instruction.to, start });
    else if (instruction.op === "split")
      waiting.push({ place: instruction.second, start }, { place: instruction.first, start });
    else if (instruction.op === "assert") {
      if (assertionHolds(instruction.at, before, after)) waiting.push({ place: place + 1, start });
    } else open.push(thread);
  }
  return open;
}
