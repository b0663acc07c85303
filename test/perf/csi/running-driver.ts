import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type CsiClient, createCsiClient } from "@stowage/csi";
import { workingProcess } from "./process-memory.ts";

const stowage = fileURLToPath(new URL("../../../packages/cli/bin/stowage.js", import.meta.url));

export interface RunningDriver extends AsyncDisposable {
  readonly client: CsiClient;
  readonly endpoint: string;
  /** The process that serves. */
  readonly pid: number;
}

/** Starts a driver in a folder of its own, by the command that users type. */
export async function startDriver(
  kind: "mock" | "local",
  folder: string,
  more: readonly string[],
): Promise<RunningDriver> {
  const home = await mkdtemp(join(folder, `${kind}-`));
  const endpoint = `unix://${home}/csi.sock`;
  const state = ["--node-id", "bench", "--state-dir", join(home, "state")];
  const child = spawn(process.execPath, [stowage, "driver", kind, "--endpoint", endpoint, ...state, ...more], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  const client = createCsiClient({ endpoint, timeoutMs: 60_000 });
  await client.waitForReady();
  return {
    client,
    endpoint,
    pid: await workingProcess(child.pid ?? 0),
    async [Symbol.asyncDispose]() {
      client.close();
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    },
  };
}
