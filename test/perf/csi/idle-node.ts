import { mkdir, mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort, registerPlugin, usePlugin } from "./fake-kubelet.ts";
import { type ProcessMemory, processMemory } from "./process-memory.ts";
import { startDriver } from "./running-driver.ts";

/** The Go programs that it replaces, driver, registrar and liveness probe, take 56 MB. */
const MAXIMUM_BYTES = 80 * 1000 * 1000;
const STARTS = 3;
/** The process notices that it is idle after 5 to 10 seconds. */
const SETTLE_MS = 12_000;

/** Whether an idle node plugin stays within the bar at each of several starts. */
export async function measureIdleNode(folder: string): Promise<boolean> {
  let isMet = true;
  for (let start = 0; start < STARTS; start++) {
    const { rssBytes, anonymousBytes } = await idleNodeMemory(await mkdtemp(join(folder, "idle-")));
    isMet &&= rssBytes <= MAXIMUM_BYTES;
    const verdict = rssBytes <= MAXIMUM_BYTES ? "ok    " : "MISSED";
    const own = `${megabytes(anonymousBytes)} MB of it its own`;
    console.log(
      `${verdict} idle node plugin: ${megabytes(rssBytes)} MB RSS, ${own}, at most ${megabytes(MAXIMUM_BYTES)} MB`,
    );
  }
  return isMet;
}

/** Registered with kubelet, asked a few things, checked, and then left alone. */
async function idleNodeMemory(folder: string): Promise<ProcessMemory> {
  const registration = join(folder, "registration");
  await mkdir(registration);
  const health = `127.0.0.1:${await freePort()}`;
  const node = ["--services", "node", "--http-endpoint", health, "--plugin-registration-path", registration];
  // The call that is meant to fail is not to be seen among the figures.
  const quiet = ["--log-level", "error"];
  await using plugin = await startDriver("local", folder, [...node, ...quiet]);
  await registerPlugin(registration);
  await usePlugin(plugin, `http://${health}`);
  await sleep(SETTLE_MS);
  return processMemory(plugin.pid);
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}
