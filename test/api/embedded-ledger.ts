import { expect } from "vitest";

/** An object as the server told of it. */
export interface Told {
  readonly name: string;
  /** What the test calls it: names may be the server's own. */
  readonly id: string;
  readonly value: string;
  readonly version: number;
}

/** What the server has acknowledged of one object, and what was asked last and not answered. */
interface Entry {
  known: Told | undefined;
  /** The value that was sent, or `null` for a delete; undefined when nothing is open. */
  open: string | null | undefined;
}

/** Everything that writers were promised. Each object has one writer. */
export class Ledger {
  readonly #entries = new Map<string, Entry>();
  #acknowledged = 0;
  #cutShort = 0;
  #greatestVersion = 0;

  get acknowledged(): number {
    return this.#acknowledged;
  }

  /** How many writes were sent and never answered. */
  get cutShort(): number {
    return this.#cutShort;
  }

  get greatestVersion(): number {
    return this.#greatestVersion;
  }

  saw(version: number): void {
    this.#greatestVersion = Math.max(this.#greatestVersion, version);
  }

  known(id: string): Told | undefined {
    return this.#entries.get(id)?.known;
  }

  /** Of a write that is about to be sent; `null` deletes. */
  begin(id: string, value: string | null): void {
    const entry = this.#entries.get(id) ?? { known: undefined, open: undefined };
    this.#entries.set(id, { ...entry, open: value });
  }

  /** The server has answered that it is done. */
  done(id: string, told: Told | undefined): void {
    this.#acknowledged += 1;
    const { known } = this.#entries.get(id) ?? {};
    if (told !== undefined) {
      if (known !== undefined) expect(told.version, `${id} was updated`).toBeGreaterThan(known.version);
      this.saw(told.version);
      this.#entries.set(id, { known: told, open: undefined });
    } else this.#entries.delete(id);
  }

  lost(): void {
    this.#cutShort += 1;
  }

  /** After a crash: what is there must be what was promised, with what was open either done or not. Then it counts as known. */
  settle(listed: readonly Told[], listVersion: number): void {
    expect(listVersion, "versions went back").toBeGreaterThanOrEqual(this.#greatestVersion);
    const byId = Map.groupBy(listed, ({ id }) => id);
    for (const [id, { known, open }] of this.#entries) {
      const found = byId.get(id) ?? [];
      expect(found.length, `how often ${id} is there`).toBeLessThanOrEqual(1);
      byId.delete(id);
      this.#settleOne(id, { known, open }, found[0]);
    }
    expect([...byId.keys()], "that nobody made, or that were deleted").toEqual([]);
    this.saw(listVersion);
  }

  #settleOne(id: string, { known, open }: Entry, found: Told | undefined): void {
    const isAsBefore = found?.version === known?.version && found?.value === known?.value;
    const isDone = open === null ? found === undefined : found !== undefined && found.value === open;
    if (!isAsBefore && (open === undefined || !isDone)) {
      expect.fail(
        `${id} is ${JSON.stringify(found)}, and was ${JSON.stringify(known)} with ${JSON.stringify(open)} open`,
      );
    }
    // What was told to nobody has a version that nobody had seen.
    if (!isAsBefore && found !== undefined) expect(found.version).toBeGreaterThan(known?.version ?? 0);
    if (found === undefined) this.#entries.delete(id);
    else this.#entries.set(id, { known: found, open: undefined });
  }
}
