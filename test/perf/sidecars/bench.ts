import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Bars } from "./bars.ts";
import { type BenchCluster, startBenchCluster } from "./bench-cluster.ts";
import { type ClaimLoad, startClaimLoad } from "./claim-load.ts";
import { measureIdle } from "./idle-writes.ts";
import { measureProvisioning } from "./provisioning-run.ts";
import { type RunningDriver, type RunningSidecars, startMockDriver, startSidecars } from "./running-sidecars.ts";
import { fillWithVolumes } from "./spare-volumes.ts";

const FEW = 10;
/** Waits for the idle process to give memory back, twice what it looks at. */
const SETTLE_MS = 15_000;
/** The five Go programs take 305 MB at 100 PVs. */
const MAXIMUM_MB = { volumes: 120, many: 180 } as const;
const MAXIMUM_WATCHES = 14;
const MAXIMUM_WRITES = { withIntent: 4, without: 3 } as const;
const MAXIMUM_IDLE_WRITES = 0.25;
const MINIMUM_SERVER_SHARE = 2;

interface Bench {
  readonly cluster: BenchCluster;
  readonly driver: RunningDriver;
  readonly load: ClaimLoad;
  readonly bars: Bars;
  readonly signal: AbortSignal;
  readonly sizes: Sizes;
}

interface Sizes {
  readonly volumes: number;
  readonly many: number;
  readonly idleSeconds: number;
}

/** All sidecars in one process on the real control plane, judged by what the API server and the kernel note of them. */
export async function benchSidecars(benchArguments: readonly string[]): Promise<boolean> {
  const sizes = parseSizes(benchArguments);
  const interrupted = new AbortController();
  const interrupt = () => interrupted.abort(new Error("the bench was interrupted"));
  process.once("SIGINT", interrupt).once("SIGTERM", interrupt);
  const bars = new Bars();
  await using cleanUp = new AsyncDisposableStack();
  try {
    // Everything in it ends soon after the signal: a lab that has just begun to start must not be left behind.
    await runBench(cleanUp, { bars, sizes, signal: interrupted.signal });
  } catch (error) {
    if (!interrupted.signal.aborted) throw error;
    console.error("interrupted");
    return false;
  }
  if (!bars.areMet) console.error(`missed: ${bars.missed.join("; ")}`);
  return bars.areMet;
}

function parseSizes(benchArguments: readonly string[]): Sizes {
  const { values } = parseArgs({
    args: [...benchArguments],
    options: {
      volumes: { type: "string", default: "1000" },
      many: { type: "string", default: "10000" },
      "idle-seconds": { type: "string", default: "120" },
    },
  });
  return {
    volumes: Number(values.volumes),
    many: Number(values.many),
    idleSeconds: Number(values["idle-seconds"]),
  };
}

async function runBench(
  cleanUp: AsyncDisposableStack,
  { bars, sizes, signal }: Pick<Bench, "bars" | "sizes" | "signal">,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "stowage-bench-sidecars-"));
  cleanUp.defer(() => rm(folder, { recursive: true, force: true }));
  const cluster = cleanUp.use(await startBenchCluster(folder, signal));
  const driver = cleanUp.use(await startMockDriver(folder, signal));
  const load = cleanUp.use(await startClaimLoad(cluster.client, signal));
  const bench: Bench = { cluster, driver, load, bars, sizes, signal };
  const start = async (...flags: string[]) => cleanUp.use(await startSidecars(cluster, driver, { flags, signal }));
  const first = await start();
  await measureWithIntent(bench, first);
  await first[Symbol.asyncDispose]();
  const second = await start("--provisioner-durable-intent=false");
  const { writesPerVolume } = await measureProvisioning(bench, second, { name: "no intent", count: sizes.volumes / 5 });
  bars.atMost("writes per volume without the intent", writesPerVolume, MAXIMUM_WRITES.without);
  await second[Symbol.asyncDispose]();
  const third = await start();
  await judgeMemory(bench, third, { volumes: sizes.many, when: "started on", limitMb: MAXIMUM_MB.many });
}

/** Ten volumes, an idle while, a thousand volumes, and ten thousand that came one by one: all in one process. */
async function measureWithIntent(bench: Bench, sidecars: RunningSidecars): Promise<void> {
  const { cluster, load, bars, sizes, signal } = bench;
  await load.bind("few", FEW);
  await printMemory(bench, sidecars, `at ${FEW} PVs`);
  const watches = await cluster.audit.openWatches();
  console.log(`watches: ${watches.join(", ")}`);
  bars.atMost("watches", watches.length, MAXIMUM_WATCHES);
  const idleWrites = await measureIdle(cluster.audit, sizes.idleSeconds, signal);
  bars.atMost("idle writes per second", idleWrites, MAXIMUM_IDLE_WRITES);
  const run = await measureProvisioning(bench, sidecars, { name: "intent", count: sizes.volumes });
  bars.atMost("writes per volume with the intent", run.writesPerVolume, MAXIMUM_WRITES.withIntent);
  bars.atLeast("the API server's CPU against ours", run.serverCpuMs / run.ownCpuMs, MINIMUM_SERVER_SHARE);
  await judgeMemory(bench, sidecars, { volumes: sizes.volumes, when: "after making", limitMb: MAXIMUM_MB.volumes });
  await fillWithVolumes(cluster.client, sizes.many, signal);
  await judgeMemory(bench, sidecars, { volumes: sizes.many, when: "grown to", limitMb: MAXIMUM_MB.many });
}

async function judgeMemory(
  bench: Bench,
  sidecars: RunningSidecars,
  { volumes, when, limitMb }: { volumes: number; when: string; limitMb: number },
): Promise<void> {
  const rssBytes = await printMemory(bench, sidecars, `${when} ${volumes} PVs`);
  bench.bars.atMost(`MB of RSS, ${when} ${volumes} PVs`, rssBytes / 1e6, limitMb);
}

async function printMemory({ signal }: Bench, sidecars: RunningSidecars, when: string): Promise<number> {
  await sleep(SETTLE_MS, undefined, { signal });
  const { rssBytes, anonymousBytes, heapBytes } = await sidecars.memory();
  const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
  const parts = `${megabytes(anonymousBytes)} of it its own, heap ${megabytes(heapBytes)}`;
  console.log(`memory ${when}: ${megabytes(rssBytes)} RSS, ${parts}`);
  return rssBytes;
}
