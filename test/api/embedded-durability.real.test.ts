import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@stowage/machinery";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SeededRandom, seedOfRun } from "../drivers/local-driver-random.ts";
import { Ledger } from "./embedded-ledger.ts";
import { EmbeddedServer } from "./embedded-server.ts";
import { EmbeddedSession } from "./embedded-session.ts";
import { Watcher } from "./embedded-watcher.ts";
import { labelled, objectsPath, toldOf, write } from "./embedded-writers.ts";

const kills = Number(process.env.STOWAGE_TEST_KILLS ?? 100);
const connections = 4;
const writersOfEach = 4;
const longestLifeMs = 400;
const longestStartMs = 400;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "embedded-durability-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function until(isSo: () => boolean): Promise<void> {
  const endsAtMs = systemClock.monotonicMs() + 60_000;
  while (!isSo()) {
    if (systemClock.monotonicMs() > endsAtMs) throw new Error("nothing was written, or nothing was heard of it");
    await systemClock.sleep(5);
  }
}

class Run {
  readonly dataDir = join(folder, "data");
  readonly ledger = new Ledger();
  readonly watcher = new Watcher(this.ledger);
  readonly owned = Array.from({ length: connections * writersOfEach }, (): string[] => []);
  readonly random: SeededRandom;
  writingMs = 0;
  startingMs = 0;
  starts = 0;

  constructor(seed: number) {
    this.random = new SeededRandom(seed);
  }

  /** From the start to the kill. */
  async live(): Promise<void> {
    const begun = systemClock.monotonicMs();
    await using server = await EmbeddedServer.start(this.dataDir);
    this.startingMs += systemClock.monotonicMs() - begun;
    this.starts += 1;
    using stack = new DisposableStack();
    const sessions = Array.from({ length: connections + 1 }, () => stack.use(new EmbeddedSession(server.credentials)));
    const [reader, ...writing] = sessions as [EmbeddedSession, ...EmbeddedSession[]];
    const { body } = await reader.call("GET", `${objectsPath}${labelled}`);
    const [listed, listVersion] = [body.items.map(toldOf), Number(body.metadata.resourceVersion)];
    this.watcher.check(listed);
    this.ledger.settle(listed, listVersion);
    const gone = new AbortController();
    const watching = this.watcher.watch(reader, listed, listVersion);
    const writers = this.owned.map((owned, index) => {
      const session = writing[index % connections] as EmbeddedSession;
      return write({ session, ledger: this.ledger, random: this.random, owned }, gone.signal);
    });
    const working = Promise.all([watching, ...writers]);
    const from = systemClock.monotonicMs();
    const before = { writes: this.ledger.acknowledged, events: this.watcher.events };
    await Promise.race([systemClock.sleep(50 + this.random.below(longestLifeMs)), working]);
    // On a busy machine the time alone may be too short for anything to happen in it.
    await until(() => this.ledger.acknowledged > before.writes && this.watcher.events > before.events);
    gone.abort();
    this.writingMs += systemClock.monotonicMs() - from;
    await server.end("SIGKILL");
    await working;
  }

  /** A start that may not come to its end; one that was fast is killed as soon as it serves. */
  async failToStart(): Promise<void> {
    const killed = AbortSignal.timeout(this.random.below(longestStartMs));
    const server = await EmbeddedServer.start(this.dataDir, { killed });
    await server?.end("SIGKILL");
  }
}

describe("an embedded API server under load", () => {
  it(`that is killed ${kills} times at random has kept every promise`, async () => {
    const seed = seedOfRun();
    console.info(`STOWAGE_TEST_SEED=${seed}`);
    const run = new Run(seed);
    // One that ends in order, and leaves what makes the next starts fast.
    await (await EmbeddedServer.start(run.dataDir)).end("SIGTERM");
    for (let deaths = 0; deaths < kills; deaths++) {
      if (run.random.isOneIn(10)) await run.failToStart();
      else await run.live();
    }
    const { ledger, watcher, writingMs } = run;
    const perSecond = Math.round((ledger.acknowledged / writingMs) * 1000);
    const startMs = Math.round(run.startingMs / run.starts);
    console.info(
      `${kills} kills; ${ledger.acknowledged} writes acknowledged (${perSecond} a second), ${ledger.cutShort} cut short; ` +
        `${watcher.events} events, ${watcher.expired} watches begun anew; ${startMs} ms from start to ready`,
    );
    await using server = await EmbeddedServer.start(run.dataDir);
    using session = new EmbeddedSession(server.credentials);
    const { body } = await session.call("GET", `${objectsPath}${labelled}`);
    ledger.settle(body.items.map(toldOf), Number(body.metadata.resourceVersion));
    // Otherwise nothing was tried.
    expect(perSecond).toBeGreaterThan(200);
    expect(ledger.cutShort).toBeGreaterThan(kills);
    expect(watcher.events).toBeGreaterThan(kills);
  }, 900_000);
});
