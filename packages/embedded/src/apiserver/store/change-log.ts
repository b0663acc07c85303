import type { StoredObject } from "./object-table.ts";

/** What happened to one object at one revision. */
export interface Change {
  readonly revision: number;
  readonly key: string;
  /** Undefined when it was deleted. */
  readonly text: string | undefined;
  /** Undefined when it was created. */
  readonly previous: StoredObject | undefined;
}

export interface ChangeLogLimits {
  readonly maximumChanges: number;
  readonly maximumCharacters: number;
}

/** As far back as a client may have to go that lost its watch for some minutes on a busy cluster. */
export const defaultChangeLogLimits: ChangeLogLimits = { maximumChanges: 20_000, maximumCharacters: 64 * 1024 * 1024 };

/** The last changes, oldest first. What falls out at the old end is compacted: nobody can go on from before it. */
export class ChangeLog {
  readonly #limits: ChangeLogLimits;
  #changes: Change[] = [];
  /** Of `#changes`, how many at the beginning are gone; moved up in steps, since each move copies the rest. */
  #gone = 0;
  #characters = 0;
  #compactedRevision: number;

  constructor(limits: ChangeLogLimits, compactedRevision: number) {
    this.#limits = limits;
    this.#compactedRevision = compactedRevision;
  }

  /** Everything after it is known. */
  get compactedRevision(): number {
    return this.#compactedRevision;
  }

  add(change: Change): void {
    this.#changes.push(change);
    this.#characters += charactersOf(change);
    const { maximumChanges, maximumCharacters } = this.#limits;
    while (
      this.#changes.length - this.#gone > maximumChanges ||
      (this.#characters > maximumCharacters && this.#changes.length - this.#gone > 1)
    ) {
      const oldest = this.#changes[this.#gone] as Change;
      this.#gone += 1;
      this.#characters -= charactersOf(oldest);
      this.#compactedRevision = oldest.revision;
    }
    if (this.#gone > 1024 && this.#gone * 2 > this.#changes.length) {
      this.#changes = this.#changes.slice(this.#gone);
      this.#gone = 0;
    }
  }

  /** Oldest first; undefined when some of them are not known any more. */
  after(revision: number): readonly Change[] | undefined {
    if (revision < this.#compactedRevision) return undefined;
    let low = this.#gone;
    let high = this.#changes.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#changes[middle] as Change).revision <= revision) low = middle + 1;
      else high = middle;
    }
    return this.#changes.slice(low);
  }
}

function charactersOf({ key, text, previous }: Change): number {
  return key.length + (text?.length ?? 0) + (previous?.text.length ?? 0);
}
