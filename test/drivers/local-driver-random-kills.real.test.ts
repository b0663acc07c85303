import { systemClock } from "@stowage/machinery";
import { afterEach, describe, expect, it } from "vitest";
import { DriverHost } from "./local-driver-host.ts";
import { expectAcknowledged, expectNothingLeft, expectWhole, Ledger } from "./local-driver-ledger.ts";
import { LoadUser, type VolumeKind } from "./local-driver-load.ts";
import { SeededRandom, seedOfRun } from "./local-driver-random.ts";
import { discard, freshFolder } from "./local-driver-traces.ts";

const kills = Number(process.env.STOWAGE_TEST_KILLS ?? 500);
const kinds: readonly VolumeKind[] = ["ext4", "ext4", "ext4", "ext4", "ext4", "ext4", "xfs", "block"];
/** About as long as a few calls take under this load. */
const longestLifeMs = 400;
const longestStartMs = 60;

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await discard(folder);
});

interface Run {
  readonly host: DriverHost;
  readonly ledger: Ledger;
  readonly random: SeededRandom;
}

/** Starts the driver and looks at what it made of the crash before anybody asks for anything. */
async function restart({ host, ledger }: Run): Promise<void> {
  const client = await host.start();
  if (!client) throw new Error("the driver ended by itself while it started");
  await expectWhole(host.folder);
  await expectAcknowledged(client, host.folder, ledger);
  host.serve();
}

/** Some of the starts are killed too. Answers how many times the driver died. */
async function killOnce(run: Run, signal: AbortSignal): Promise<number> {
  const { host, random } = run;
  await systemClock.sleep(random.below(longestLifeMs), signal);
  await host.kill();
  let deaths = 1;
  if (random.isOneIn(10)) {
    const started = host.start();
    await systemClock.sleep(random.below(longestStartMs));
    await host.kill();
    await started;
    deaths += 1;
  }
  await restart(run);
  return deaths;
}

describe.runIf(process.getuid?.() === 0)("a local driver under load", () => {
  it(`that is killed ${kills} times at random has kept every promise and leaves nothing behind`, async () => {
    const seed = seedOfRun();
    console.info(`STOWAGE_TEST_SEED=${seed}`);
    const folder = freshFolder();
    folders.push(folder);
    await using host = new DriverHost(folder);
    const run = { host, ledger: new Ledger(), random: new SeededRandom(seed) };
    await restart(run);
    const ended = new AbortController();
    let lives = 0;
    const users = kinds.map(async (kind, index) => {
      const random = new SeededRandom(seed + index + 1);
      const user = new LoadUser({ host, ledger: run.ledger, random, user: `user-${index}`, kind });
      for (; !ended.signal.aborted; lives++) await user.live();
    });
    const failed = Promise.all(users);
    failed.catch((error: unknown) => ended.abort(error));
    let deaths = 0;
    while (deaths < kills && !ended.signal.aborted) deaths += await killOnce(run, ended.signal);
    ended.abort();
    await failed;
    const { cutShort, answered } = host;
    console.info(
      `${deaths} kills cut ${cutShort} calls short, ${answered} were done; ${lives} volumes had whole lives`,
    );
    await expectNothingLeft(folder);
    // Otherwise nothing was tried.
    expect(cutShort).toBeGreaterThan(kills);
    expect(answered).toBeGreaterThan(kills);
  }, 1_800_000);
});
