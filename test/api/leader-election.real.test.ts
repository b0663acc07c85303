import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createClient, createTransport, type KubeClient, loadKubeconfig, type Transport } from "@stowage/kube";
import { configMaps, leases, namespaces } from "@stowage/machinery";
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";

const TIMING = {
  leaseDurationMs: 2_000,
  renewDeadlineMs: 1_200,
  retryPeriodMs: 250,
  hangLimitMs: 60_000,
  thread: "own",
};
/** A sample taken over a pause may belong to any moment of it: it says nothing and is left out. */
const MAXIMUM_SAMPLE_NS = 2_000_000n;

interface Contender {
  readonly identity: string;
  readonly child: ChildProcess;
  /** Terms in which it came to lead, in order. */
  readonly terms: number[];
  readonly losses: string[];
}

describe("contenders for a lease", () => {
  let transport: Transport;
  let client: KubeClient;
  let namespace: string;
  let folder: string;
  let contenders: Contender[];

  beforeEach(async () => {
    contenders = [];
    folder = await mkdtemp(join(tmpdir(), "stowage-election-"));
    transport = createTransport(await loadKubeconfig({ path: inject("kubeconfig"), env: {}, homeDir: "/" }));
    client = createClient({ transport });
    namespace = (await client.create(namespaces, { metadata: { generateName: "election-" } })).metadata.name as string;
    await client.create(configMaps, { metadata: { namespace, name: "ledger" }, data: { term: "-1" } });
  });

  afterEach(async () => {
    for (const { child } of contenders) {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill("SIGKILL");
        await once(child, "exit");
      }
    }
    await client.delete(namespaces, { name: namespace });
    transport.close();
    await rm(folder, { recursive: true });
  });

  function startContender(identity: string, timing: Partial<typeof TIMING> = {}): Contender {
    const child = fork(new URL("./contender.ts", import.meta.url), [
      inject("kubeconfig"),
      namespace,
      identity,
      join(folder, "beliefs"),
      JSON.stringify({ ...TIMING, ...timing }),
    ]);
    const contender: Contender = { identity, child, terms: [], losses: [] };
    child.on("message", (message: { leading?: number; lost?: string }) => {
      if (message.leading !== undefined) contender.terms.push(message.leading);
      if (message.lost !== undefined) contender.losses.push(message.lost);
    });
    contenders.push(contender);
    return contender;
  }

  const leads = (contender: Contender, timeout: number) =>
    expect.poll(() => contender.terms.length, { timeout, interval: 20 });

  it("never both believe that they lead, whoever is paused and for how long", async () => {
    const writes: { term: number; identity: string }[] = [];
    const watching = new AbortController();
    const watch = client
      .watch(
        configMaps,
        { namespace, fieldSelector: "metadata.name=ledger", signal: watching.signal },
        ({ object }) => {
          if (object.data?.identity) writes.push({ term: Number(object.data.term), identity: object.data.identity });
        },
      )
      .catch(() => {});
    const both = [startContender("one"), startContender("two")];
    await expect.poll(() => both.flatMap(({ terms }) => terms).length, { timeout: 10_000 }).toBeGreaterThan(0);

    const endMs = performance.now() + 60_000;
    const pauseAtRandom = async ({ child }: Contender) => {
      while (performance.now() < endMs) {
        await sleep(Math.random() * 1_500);
        child.kill("SIGSTOP");
        await sleep(Math.random() * 4_000);
        child.kill("SIGCONT");
      }
    };
    await Promise.all(both.map(pauseAtRandom));
    const exits = both.map(({ child }) => once(child, "exit"));
    for (const { child } of both) child.kill("SIGTERM");
    await Promise.all(exits);
    watching.abort();
    await watch;

    const samples = (await readFile(join(folder, "beliefs"), "utf8"))
      .trim()
      .split("\n")
      .map((line) => line.split(" ") as [string, string, string, string])
      .map(([before, after, term, identity]) => ({
        at: BigInt(before),
        took: BigInt(after) - BigInt(before),
        term: Number(term),
        identity,
      }))
      .filter(({ took }) => took < MAXIMUM_SAMPLE_NS)
      .sort((a, b) => (a.at < b.at ? -1 : 1));
    expect(outOfTurn(samples)).toEqual([]);
    expect(outOfTurn(writes)).toEqual([]);
    const changes = new Set(samples.map(({ term }) => term)).size;
    console.log(`${changes} terms, ${samples.length} moments of belief, ${writes.length} writes`);
    expect(changes).toBeGreaterThanOrEqual(5);
    expect(new Set(writes.map(({ identity }) => identity)).size).toBe(2);
  });

  it("keep the lease while the main thread is busy for longer than it lasts", async () => {
    const leader = startContender("busy");
    await leads(leader, 10_000).toBe(1);
    const other = startContender("other");
    leader.child.send({ blockMs: 6_000 });
    await once(leader.child, "message");
    await sleep(1_000);
    expect(leader.losses).toEqual([]);
    expect([leader.terms.length, other.terms.length]).toEqual([1, 0]);
  });

  it("lose the lease when the main thread hangs for good", async () => {
    const leader = startContender("hung", { hangLimitMs: 1_500 });
    await leads(leader, 10_000).toBe(1);
    const other = startContender("other");
    leader.child.send({ blockMs: 12_000 });
    await leads(other, 11_000).toBe(1);
  });

  it.each(["own", "main"])(
    "hand over within two seconds of a SIGTERM, electing in the %s thread",
    async (thread) => {
      const timing = { leaseDurationMs: 30_000, renewDeadlineMs: 20_000, retryPeriodMs: 5_000, thread };
      const leader = startContender("leaving", timing);
      await leads(leader, 10_000).toBe(1);
      const other = startContender("coming", timing);
      await sleep(1_500);
      const exited = once(leader.child, "exit");
      leader.child.kill("SIGTERM");
      await leads(other, 2_000).toBe(1);
      await exited;
      expect(leader.child.exitCode).toBe(0);
    },
    60_000,
  );

  it.each(["own", "main"])(
    "take over from one that was killed once its lease has run out, not before, in the %s thread",
    async (thread) => {
      const leader = startContender("killed", { thread });
      await leads(leader, 10_000).toBe(1);
      const other = startContender("other", { thread });
      await sleep(1_000);
      const killedMs = performance.now();
      leader.child.kill("SIGKILL");
      await leads(other, 10_000).toBe(1);
      // At least the lease, less the age of its last renewal.
      expect(performance.now() - killedMs).toBeGreaterThan(TIMING.leaseDurationMs - 2 * TIMING.retryPeriodMs);
      const lease = await client.get(leases, { namespace, name: "contended" });
      expect(lease.spec).toMatchObject({ holderIdentity: "other", leaseTransitions: 1, leaseDurationSeconds: 2 });
    },
    60_000,
  );
});

/** Every entry that belongs to an earlier term than one before it, or to another holder of the same term. */
function outOfTurn(entries: readonly { term: number; identity: string }[]): string[] {
  const holders = new Map<number, string>();
  const found: string[] = [];
  let latest = Number.NEGATIVE_INFINITY;
  for (const { term, identity } of entries) {
    if (term < latest) found.push(`${identity} in term ${term} after term ${latest} had begun`);
    if ((holders.get(term) ?? identity) !== identity)
      found.push(`${identity} and ${holders.get(term)} both in term ${term}`);
    holders.set(term, identity);
    latest = Math.max(latest, term);
  }
  return found;
}
