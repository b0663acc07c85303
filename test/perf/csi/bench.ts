import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type CsiClient, createCsiClient, VolumeCapability_AccessMode_Mode as Mode } from "@stowage/csi";

/** The Go programs that it replaces, driver, registrar and liveness probe, take 56 MB. */
const MAXIMUM_IDLE_NODE_BYTES = 80 * 1000 * 1000;
const CALLS = 20_000;
const VOLUMES = 60;
const VOLUME_BYTES = 64n * 1024n * 1024n;
const SETTLE_MS = 3_000;

const main = fileURLToPath(new URL("../../../packages/cli/src/main.ts", import.meta.url));

/** Calls over the socket, volumes of the local driver, and what an idle node plugin needs. */
export async function benchCsi(): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), "stowage-bench-csi-"));
  try {
    await using mock = await startDriver("mock", folder, ["--services", "controller,node"]);
    await measureCalls(mock.client, 1);
    for (const inFlight of [1, 64]) console.log(await measureCalls(mock.client, inFlight));
    await using local = await startDriver("local", folder, ["--services", "controller,node"]);
    console.log(await measureVolumes(local.client));
    return await measureIdleNode(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

interface RunningDriver extends AsyncDisposable {
  readonly client: CsiClient;
  readonly child: ChildProcess;
}

async function startDriver(kind: "mock" | "local", folder: string, more: readonly string[]): Promise<RunningDriver> {
  const home = await mkdtemp(join(folder, `${kind}-`));
  const endpoint = `unix://${home}/csi.sock`;
  const state = ["--node-id", "bench", "--state-dir", join(home, "state")];
  const child = spawn(process.execPath, [main, "driver", kind, "--endpoint", endpoint, ...state, ...more], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  const client = createCsiClient({ endpoint, timeoutMs: 60_000 });
  await client.waitForReady();
  return {
    client,
    child,
    async [Symbol.asyncDispose]() {
      client.close();
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    },
  };
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

async function measureIdleNode(folder: string): Promise<boolean> {
  const registration = join(folder, "registration");
  await mkdir(registration);
  const node = ["--services", "node", "--http-endpoint", "127.0.0.1:0", "--plugin-registration-path", registration];
  const kubelet = ["--kubelet-registration-path", join(folder, "csi.sock")];
  await using plugin = await startDriver("local", folder, [...node, ...kubelet]);
  await sleep(SETTLE_MS);
  const status = await readFile(`/proc/${plugin.child.pid}/status`, "utf8");
  const bytes = Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) * 1024;
  const isMet = bytes <= MAXIMUM_IDLE_NODE_BYTES;
  const limit = MAXIMUM_IDLE_NODE_BYTES / 1e6;
  console.log(
    `${isMet ? "ok    " : "MISSED"} idle node plugin: ${(bytes / 1e6).toFixed(1)} MB RSS, at most ${limit} MB`,
  );
  return isMet;
}
