import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { endRemains } from "@stowage/embedded";
import { choosePorts } from "@stowage/lab";
import { systemClock } from "@stowage/machinery";
import { processMemory } from "../csi/process-memory.ts";
import { type RunningCommand, startCommand } from "../sidecars/stowage-command.ts";
import type { Memory } from "./subject.ts";

const stowage = fileURLToPath(new URL("../../../packages/cli/bin/stowage.js", import.meta.url));
const run = promisify(execFile);
const nodeName = "node-1";
const PATIENCE_MS = 60_000;
const STEP_MS = 100;

export interface EmbeddedParts extends AsyncDisposable {
  readonly kubeconfigPath: string;
  readonly kubeletFolder: string;
  memory(): Promise<Memory>;
}

/** `stowage apiserver`, `stowage controllers` and `stowage node`, as users start them. Containers, mounts and files go with them. */
export async function startEmbeddedParts(signal: AbortSignal): Promise<EmbeddedParts> {
  await using stack = new AsyncDisposableStack();
  const folder = await realpath(await mkdtemp(join(tmpdir(), "stowage-bench-parts-")));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  stack.defer(() => endRemains({ folder, clock: systemClock, graceMs: 1_000 }));
  const dataDir = join(folder, "apiserver");
  const kubeconfigPath = join(dataDir, "kubeconfig");
  const listen = `127.0.0.1:${(await choosePorts()).apiServer}`;
  const start = (...words: readonly string[]) => stack.use(startCommand(words, { signal }));
  const server = start("apiserver", "--data-dir", dataDir, "--listen", listen);
  await whenThere(kubeconfigPath, server);
  const identity = async (...who: readonly string[]) => {
    const file = join(folder, `${who[0]}.kubeconfig`);
    await run(process.execPath, [stowage, "identity", ...who, "--data-dir", dataDir, "--file", file], { signal });
    return file;
  };
  const controllers = start("controllers", "--kubeconfig", await identity("controllers"));
  const node = start("node", nodeName, "--kubeconfig", await identity("node", nodeName), "--root-dir", folder);
  const rssOf = async ({ pid }: RunningCommand) => (await processMemory(pid)).rssBytes;
  const running = stack.move();
  return {
    kubeconfigPath,
    kubeletFolder: join(folder, "nodes", nodeName),
    memory: async () => ({ controllers: await rssOf(controllers), node: await rssOf(node) }),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

async function whenThere(path: string, command: RunningCommand): Promise<void> {
  const late = sleep(PATIENCE_MS, undefined, { ref: false }).then((): never => {
    throw new Error(`${path} was not written`);
  });
  const look = async () => {
    while (!existsSync(path)) await sleep(STEP_MS);
  };
  await Promise.race([look(), command.failed, late]);
}
