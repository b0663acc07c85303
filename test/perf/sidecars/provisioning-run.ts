import { setTimeout as sleep } from "node:timers/promises";
import { type AuditedRequest, isWrite } from "./audit-log.ts";
import type { BenchCluster } from "./bench-cluster.ts";
import type { BindingTimes, ClaimLoad } from "./claim-load.ts";
import { processCpuMs } from "./process-cpu.ts";
import type { RunningDriver, RunningSidecars } from "./running-sidecars.ts";
import { tally, tallyText } from "./tally.ts";

interface Setting {
  readonly cluster: BenchCluster;
  readonly driver: RunningDriver;
  readonly load: ClaimLoad;
  readonly signal: AbortSignal;
}

export interface ProvisioningFigures {
  readonly writesPerVolume: number;
  readonly serverCpuMs: number;
  readonly ownCpuMs: number;
}

const LOOK_EVERY_MS = 2_000;
/** Written as time goes by, not for each volume: leases every few seconds, capacity once a second at most. */
const BY_TIME: ReadonlySet<string> = new Set(["leases", "csistoragecapacities"]);

const isOfVolumes = ({ resource }: AuditedRequest) => !BY_TIME.has(resource);

/** Makes claims and waits for their volumes; prints what it took. */
export async function measureProvisioning(
  setting: Setting,
  sidecars: RunningSidecars,
  { name, count }: { name: string; count: number },
): Promise<ProvisioningFigures> {
  const { cluster, driver, load, signal } = setting;
  await driver.takeCalls();
  const fromMs = Date.now();
  const before = await cpuOf(cluster, sidecars);
  const times = await load.bind(name.replaceAll(" ", "-"), count);
  const atBound = await cpuOf(cluster, sidecars);
  // Events go out one after the other, and may be on their way yet.
  const requests = await settledRequests(cluster, fromMs, signal);
  const calls = await driver.takeCalls();
  const provisioning = requests.filter(isOfVolumes);
  const figures = {
    writesPerVolume: provisioning.filter(isWrite).length / count,
    serverCpuMs: atBound.serverMs - before.serverMs,
    ownCpuMs: atBound.ownMs - before.ownMs,
  };
  printTimes(name, count, times);
  const perVolume = (all: number) => (all / count).toFixed(2);
  const callCount = [...calls.values()].reduce((a, b) => a + b, 0);
  console.log(
    `${name}: ${perVolume(provisioning.length)} requests per volume, ${perVolume(callCount)} calls of the driver`,
  );
  console.log(`${name}: requests: ${tally(requests)}; of ${2 * count} events, ${eventsOf(requests)} were told`);
  console.log(`${name}: calls: ${tallyText(calls)}`);
  const cpuOfTotal = `in ${(times.totalMs / 1000).toFixed(1)} s`;
  console.log(`${name}: CPU: API server ${figures.serverCpuMs} ms, sidecars ${figures.ownCpuMs} ms, ${cpuOfTotal}`);
  return figures;
}

/** Provisioning and ProvisioningSucceeded of each volume; those that find the queue full are dropped. */
function eventsOf(requests: readonly AuditedRequest[]): number {
  return requests.filter(({ verb, resource }) => verb === "create" && resource === "events").length;
}

async function cpuOf({ apiServerPid }: BenchCluster, { pid }: RunningSidecars) {
  const [serverMs, ownMs] = await Promise.all([processCpuMs(apiServerPid), processCpuMs(pid)]);
  return { serverMs, ownMs };
}

/** Those since then, once no more come but what comes always. */
async function settledRequests(
  { audit }: BenchCluster,
  fromMs: number,
  signal: AbortSignal,
): Promise<AuditedRequest[]> {
  const read = () => audit.requests({ fromMs, toMs: Date.now() });
  let requests = await read();
  for (;;) {
    await sleep(LOOK_EVERY_MS, undefined, { signal });
    const next = await read();
    if (next.filter(isOfVolumes).length === requests.filter(isOfVolumes).length) return next;
    requests = next;
  }
}

function printTimes(name: string, count: number, { totalMs, latenciesMs }: BindingTimes): void {
  const at = (share: number) => Math.round(latenciesMs[Math.floor(latenciesMs.length * share)] ?? Number.NaN);
  const perSecond = (count / (totalMs / 1000)).toFixed(1);
  console.log(
    `${name}: ${count} volumes, ${perSecond} per second; from creation to Bound p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`,
  );
}
