import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CsiClient, VolumeCapability_AccessMode_Mode as Mode } from "@stowage/csi";
import { measureIdleNode } from "./idle-node.ts";
import { startDriver } from "./running-driver.ts";

const CALLS = 20_000;
const VOLUMES = 60;
const VOLUME_BYTES = 64n * 1024n * 1024n;

/** Calls over the socket, volumes of the local driver, and what an idle node plugin needs. */
export async function benchCsi(): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), "stowage-bench-csi-"));
  try {
    // The idle plugin first: nothing has run before it that would have warmed caches for it.
    const isMet = await measureIdleNode(folder);
    await printCalls(folder);
    await printVolumes(folder);
    return isMet;
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function printCalls(folder: string): Promise<void> {
  await using mock = await startDriver("mock", folder, ["--services", "controller,node"]);
  await measureCalls(mock.client, 1);
  for (const inFlight of [1, 64]) console.log(await measureCalls(mock.client, inFlight));
}

async function printVolumes(folder: string): Promise<void> {
  await using local = await startDriver("local", folder, ["--services", "controller,node"]);
  console.log(await measureVolumes(local.client));
}

async function measureCalls(client: CsiClient, inFlight: number): Promise<string> {
  const latenciesMs: number[] = [];
  let left = CALLS;
  const caller = async () => {
    while (left-- > 0) {
      const startedMs = performance.now();
      await client.node.nodeGetInfo({});
      latenciesMs.push(performance.now() - startedMs);
    }
  };
  const startedMs = performance.now();
  await Promise.all(Array.from({ length: inFlight }, caller));
  const perSecond = CALLS / ((performance.now() - startedMs) / 1000);
  latenciesMs.sort((a, b) => a - b);
  const at = (share: number) => (latenciesMs[Math.floor(latenciesMs.length * share)] ?? Number.NaN).toFixed(2);
  return `${inFlight} in flight: ${Math.round(perSecond)} calls/s, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`;
}

async function measureVolumes(client: CsiClient): Promise<string> {
  const accessMode = { mode: Mode.SINGLE_NODE_WRITER };
  const volumeCapabilities = [{ accessType: { case: "mount" as const, value: { fsType: "ext4" } }, accessMode }];
  const startedMs = performance.now();
  let next = 0;
  const worker = async () => {
    while (next < VOLUMES) {
      const name = `bench-${next++}`;
      const capacityRange = { requiredBytes: VOLUME_BYTES };
      const { volume } = await client.controller.createVolume({ name, volumeCapabilities, capacityRange });
      await client.controller.deleteVolume({ volumeId: volume?.volumeId ?? "" });
    }
  };
  await Promise.all(Array.from({ length: 4 }, worker));
  const perSecond = VOLUMES / ((performance.now() - startedMs) / 1000);
  return `local: ${perSecond.toFixed(1)} volumes made and deleted per second, 4 at a time`;
}
