import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { endRemains } from "@stowage/embedded";
import { choosePorts } from "@stowage/lab";
import { systemClock } from "@stowage/machinery";

/** API server, controllers and nodes in a process of their own: they can be killed at once, and whoever looks at them has a core to itself. */
export interface EmbeddedProcess extends AsyncDisposable {
  readonly kubeconfigPath: string;
  readonly pid: number;
  readonly nodes: readonly NodePlace[];
  /** Of the first node. */
  readonly nodeName: string;
  readonly kubeletFolder: string;
  kill(): Promise<void>;
  start(): void;
}

export interface NodePlace {
  readonly nodeName: string;
  /** The node's own. */
  readonly kubeletFolder: string;
}

export interface EmbeddedProcessOptions {
  /** How many; one when left out. */
  readonly nodes?: number;
}

const program = fileURLToPath(new URL("program.ts", import.meta.url));
const STEP_MS = 50;

/** Resolves when it can be asked. Containers, mounts and files go with it. */
export async function startEmbeddedProcess({ nodes = 1 }: EmbeddedProcessOptions = {}): Promise<EmbeddedProcess> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "embedded-process-")));
  // The same after a restart, or nobody would find the API server again; and nobody else's meanwhile.
  const { apiServer: port } = await choosePorts();
  const start = () => spawn(process.execPath, [program, folder, `${port}`, `${nodes}`], { stdio: "inherit" });
  let child = start();
  const kubeconfigPath = join(folder, "apiserver", "kubeconfig");
  while (!existsSync(kubeconfigPath) && child.exitCode === null) await sleep(STEP_MS);
  const places = Array.from({ length: nodes }, (_, index) => nodePlace(folder, `node-${index + 1}`));
  return {
    kubeconfigPath,
    nodes: places,
    ...nodePlace(folder, "node-1"),
    get pid() {
      return child.pid ?? 0;
    },
    kill: () => ended(child, "SIGKILL"),
    start() {
      child = start();
    },
    async [Symbol.asyncDispose]() {
      await ended(child, "SIGTERM");
      await endRemains({ folder, clock: systemClock, graceMs: 1_000 });
      rmSync(folder, { recursive: true });
    },
  };
}

function nodePlace(folder: string, nodeName: string): NodePlace {
  return { nodeName, kubeletFolder: join(folder, "nodes", nodeName) };
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, "close");
  child.kill(signal);
  await closed;
}
