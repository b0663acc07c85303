import { expect } from "vitest";
import type { Ledger, Told } from "./embedded-ledger.ts";
import type { EmbeddedSession } from "./embedded-session.ts";
import { labelled, objectsPath, toldOf } from "./embedded-writers.ts";

/** Keeps a copy by watching, as informers do, over all deaths of the server. */
export class Watcher {
  readonly #ledger: Ledger;
  #copy = new Map<string, Told>();
  #version = 0;
  #events = 0;
  #expired = 0;

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  /** How many events it was told of. */
  get events(): number {
    return this.#events;
  }

  /** How often it was told to begin with a list. */
  get expired(): number {
    return this.#expired;
  }

  /** Compares the copy with what is there after a crash: nothing up to its version may have passed it by. */
  check(listed: readonly Told[]): void {
    for (const told of listed.filter(({ version }) => version <= this.#version)) {
      expect(this.#copy.get(told.name), `what the watch knows of ${told.name}`).toEqual(told);
    }
  }

  /** From where it was, or from the list when that is refused, until the server is gone. */
  async watch(session: EmbeddedSession, listed: readonly Told[], listVersion: number): Promise<void> {
    const isRefused = (await this.#follow(session)) === "expired";
    if (!isRefused) return;
    this.#expired += 1;
    // The store's last changes are gone with the process; who had seen all of them must not be sent away.
    expect(this.#version).toBeLessThan(listVersion);
    this.#copy = new Map(listed.map((told) => [told.name, told]));
    this.#version = listVersion;
    expect(await this.#follow(session)).toBe("ended");
  }

  async #follow(session: EmbeddedSession): Promise<"ended" | "expired"> {
    const path = `${objectsPath}${labelled}&watch=1&allowWatchBookmarks=true&resourceVersion=${this.#version || 1}`;
    let rest = "";
    try {
      const { code, lines } = await session.stream("GET", path);
      if (code === 410) return "expired";
      expect(code).toBe(200);
      for await (const text of lines) {
        const whole = `${rest}${text}`.split("\n");
        rest = whole.pop() ?? "";
        for (const line of whole) if (this.#apply(JSON.parse(line)) === "expired") return "expired";
      }
    } catch (error) {
      if (error instanceof Error && error.name === "AssertionError") throw error;
      // The server is gone, as it should be.
    }
    return "ended";
  }

  // oxlint-disable-next-line typescript/no-explicit-any -- as the server sends it
  #apply({ type, object }: any): "expired" | undefined {
    if (type === "ERROR") {
      expect(object.code).toBe(410);
      return "expired";
    }
    const version = Number(object.metadata.resourceVersion);
    expect(version, "events come in order").toBeGreaterThanOrEqual(this.#version);
    if (type !== "BOOKMARK") {
      expect(version, "events come once").toBeGreaterThan(this.#version);
      if (type === "DELETED") this.#copy.delete(object.metadata.name);
      else this.#copy.set(object.metadata.name, toldOf(object));
      this.#events += 1;
    }
    this.#version = version;
    this.#ledger.saw(version);
    return undefined;
  }
}
