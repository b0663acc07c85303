import { isDeepStrictEqual } from "node:util";

/** What a scenario has led to, in sections that turn out independently of each other: kinds of objects, events, calls, words of a command. */
export type Outcome<Section = unknown> = Readonly<Record<string, Section>>;

/** So often a scenario is played on the real cluster, as long as ours has ended in another way. */
const MOST_PLAYS = 5;

/**
 * One outcome of ours, and all that the real cluster has shown. It does not end in the same way each time either: who hears first of what is
 * chance. Ours is right if each of its sections is one that the real cluster has shown. Ours has one try; the real cluster is asked again.
 */
export class RealOutcomes<Section> {
  readonly #ours: Outcome<Section>;
  readonly #shown: Outcome<Section>[] = [];

  constructor(ours: Outcome<Section>) {
    this.#ours = ours;
  }

  add(shown: Outcome<Section>): void {
    this.#shown.push(shown);
  }

  /** Plays anew while something of ours was not shown; a play that did not come to its end tells nothing. Gives how many there were. */
  async askAgain(play: (round: number) => Promise<Outcome<Section> | undefined>): Promise<number> {
    let round = 1;
    while (this.#open.length > 0 && round < MOST_PLAYS) {
      round += 1;
      const shown = await play(round);
      if (shown !== undefined) this.add(shown);
    }
    return round;
  }

  /** Whether nothing of ours would be left that the real cluster has not shown. */
  isCompletedBy(shown: Outcome<Section>): boolean {
    return this.#open.every((section) => isSame(shown[section], this.#ours[section]));
  }

  /** Section by section what ours is, where the real cluster has shown it, and what it showed first where it has not; undefined if it showed nothing. */
  closest(): Outcome<Section> | undefined {
    const [first] = this.#shown;
    if (first === undefined) return undefined;
    const sections = this.#sections.map((section) => [section, (this.#equal(section) ?? first)[section]] as const);
    return Object.fromEntries(sections.filter((entry): entry is [string, Section] => entry[1] !== undefined));
  }

  /** Sections of which the real cluster has shown more than one. */
  varied(): string[] {
    const [first] = this.#shown;
    return this.#sections.filter((section) =>
      this.#shown.some((shown) => first !== undefined && !isSame(shown[section], first[section])),
    );
  }

  get #sections(): string[] {
    return [...new Set([this.#ours, ...this.#shown].flatMap((outcome) => Object.keys(outcome)))];
  }

  get #open(): string[] {
    return this.#sections.filter((section) => this.#equal(section) === undefined);
  }

  #equal(section: string): Outcome<Section> | undefined {
    return this.#shown.find((shown) => isSame(shown[section], this.#ours[section]));
  }
}

/** A section that is not there has nothing in it. */
function isSame(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(one ?? [], other ?? []);
}
