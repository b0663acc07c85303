import { hasCharacter } from "./character-set.ts";
import type { Instruction } from "./regex-program.ts";
import { assertionHolds, type Neighbour, neighbourOf } from "./surroundings.ts";

/** All the places in the program that a text read so far can have led to. */
interface State {
  readonly places: readonly number[];
  readonly before: Neighbour;
  readonly next: Map<number, State | "matched">;
  endsInMatch: boolean | undefined;
}

const mostStates = 2000;
const mostTransitionsPerState = 512;

/** Runs the program over all possibilities at once, and remembers where each character leads. */
export class StateCache {
  readonly #program: readonly Instruction[];
  #states = new Map<string, State>();

  constructor(program: readonly Instruction[]) {
    this.#program = program;
  }

  matches(text: string): boolean {
    let state = this.#state([0], "edge");
    for (let position = 0; position < text.length; position++) {
      const code = text.codePointAt(position) ?? 0;
      if (code > 0xffff) position++;
      const next: State | "matched" = state.next.get(code) ?? this.#step(state, code);
      if (next === "matched") return true;
      state = next;
    }
    state.endsInMatch ??= this.#reach(state, "edge").matched;
    return state.endsInMatch;
  }

  #step(state: State, code: number): State | "matched" {
    const { takers, matched } = this.#reach(state, neighbourOf(code));
    const next = matched ? "matched" : this.#state(this.#placesAfter(takers, code), neighbourOf(code));
    if (state.next.size < mostTransitionsPerState) state.next.set(code, next);
    return next;
  }

  /** A match can also begin after the character, so the start is always among them. */
  #placesAfter(takers: readonly number[], code: number): number[] {
    const places = new Set<number>([0]);
    for (const taker of takers) {
      const instruction = this.#program[taker];
      if (instruction?.op === "take" && hasCharacter(instruction.set, code)) places.add(taker + 1);
    }
    return [...places].sort((a, b) => a - b);
  }

  #state(places: readonly number[], before: Neighbour): State {
    const key = `${before}${places.join()}`;
    const known = this.#states.get(key);
    if (known !== undefined) return known;
    if (this.#states.size >= mostStates) this.#states = new Map();
    const state: State = { places, before, next: new Map(), endsInMatch: undefined };
    this.#states.set(key, state);
    return state;
  }

  #reach({ places, before }: State, after: Neighbour): { takers: number[]; matched: boolean } {
    const seen = new Set<number>();
    const takers: number[] = [];
    const waiting = [...places];
    for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
      if (seen.has(place)) continue;
      seen.add(place);
      const instruction = this.#program[place];
      if (instruction === undefined) continue;
      if (instruction.op === "match") return { takers, matched: true };
      if (instruction.op === "take") takers.push(place);
      else if (instruction.op === "jump") waiting.push(instruction.to);
      else if (instruction.op === "split") waiting.push(instruction.first, instruction.second);
      else if (assertionHolds(instruction.at, before, after)) waiting.push(place + 1);
    }
    return { takers, matched: false };
  }
}
