import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { workingProcess } from "../csi/process-memory.ts";

const stowage = fileURLToPath(new URL("../../../packages/cli/bin/stowage.js", import.meta.url));

export interface RunningCommand extends AsyncDisposable {
  /** The process that does the work. */
  readonly pid: number;
  /** Rejects when it ends before it was told to. */
  readonly failed: Promise<never>;
}

/** Starts what users start, from the bundle, and stops it in order. Wait for it to be ready by what it serves. */
export function startCommand(
  commandArguments: readonly string[],
  { signal, env = {} }: { readonly signal: AbortSignal; readonly env?: Readonly<Record<string, string>> },
): RunningCommand {
  const child = spawn(process.execPath, [stowage, ...commandArguments], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "inherit", "inherit"],
  });
  const exited = once(child, "exit");
  if (signal.aborted) child.kill("SIGTERM");
  signal.addEventListener("abort", () => child.kill("SIGTERM"), { once: true });
  let isStopping = false;
  const failed = exited.then(async ([code, signal]): Promise<never> => {
    if (isStopping) return await new Promise<never>(() => {});
    throw new Error(`stowage ${commandArguments[0]} ended with ${signal ?? code}`);
  });
  // Whoever waits for something races with it; nobody may be waiting.
  failed.catch(() => {});
  return {
    get pid() {
      return child.pid ?? 0;
    },
    failed,
    async [Symbol.asyncDispose]() {
      isStopping = true;
      child.kill("SIGTERM");
      await exited;
    },
  };
}

/** Resolves when the URL answers with what is looked for. Before, the process may hand over to another. */
export async function whenServed(command: RunningCommand, url: string, isReady: (text: string) => boolean) {
  const patience = { everyMs: 100, tries: 600 };
  for (let left = patience.tries; left > 0; left--) {
    const text = await Promise.race([textOf(url), command.failed]);
    if (text !== undefined && isReady(text)) return await workingProcess(command.pid);
    await new Promise((resolve) => setTimeout(resolve, patience.everyMs));
  }
  throw new Error(`${url} did not say within a minute that it is ready`);
}

async function textOf(url: string): Promise<string | undefined> {
  try {
    const response = await fetch(url);
    return await response.text();
  } catch {
    return undefined;
  }
}
