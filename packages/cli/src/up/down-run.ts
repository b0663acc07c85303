import { existsSync, rmSync } from "node:fs";
import { type Clock, StowageError, systemClock } from "@stowage/machinery";
import type { CommandContext } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { endCluster } from "./up-cluster.ts";
import { lockState, runningOwner } from "./up-lock.ts";
import { stateDirOf } from "./up-state.ts";

export interface DownOptions {
  readonly stateDir?: string | undefined;
  /** In milliseconds. */
  readonly timeout: number;
}

/** How often a process that is not our child is looked for. */
const LOOK_MS = 50;

/** Stops the cluster, whoever runs it and whatever a crash left of it. Its data stays. */
export async function runDown(context: CommandContext, options: DownOptions): Promise<number> {
  return withStopped(context, options, (stateDir) => `stopped; what is kept stays in ${stateDir}`);
}

/** The same, and all that was kept goes too. */
export async function runReset(context: CommandContext, options: DownOptions): Promise<number> {
  return withStopped(context, options, (stateDir) => {
    rmSync(stateDir, { recursive: true, force: true });
    return `nothing is left of the cluster in ${stateDir}`;
  });
}

async function withStopped(
  { homeDir, terminal, signal }: CommandContext,
  options: DownOptions,
  then: (stateDir: string) => string,
): Promise<number> {
  const stateDir = stateDirOf(homeDir, options.stateDir);
  if (!existsSync(stateDir)) {
    terminal.err(`there is no cluster in ${stateDir}\n`);
    return exitCodes.success;
  }
  await stopOwner(stateDir, { clock: systemClock, timeoutMs: options.timeout, signal });
  using _lock = lockState(stateDir);
  await endCluster(stateDir, systemClock);
  terminal.err(`${then(stateDir)}\n`);
  return exitCodes.success;
}

interface StopDeps {
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Asks a running `up` to end, as Ctrl-C does, and waits for that. */
async function stopOwner(stateDir: string, { clock, timeoutMs, signal }: StopDeps): Promise<void> {
  const owner = runningOwner(stateDir);
  if (owner === undefined) return;
  process.kill(owner.pid, "SIGTERM");
  const giveUpMs = clock.nowMs() + timeoutMs;
  while (runningOwner(stateDir)?.pid === owner.pid) {
    if (clock.nowMs() > giveUpMs)
      throw new StowageError("UP_RUNNING", `process ${owner.pid}, which runs the cluster in ${stateDir}, does not end`);
    await clock.sleep(LOOK_MS, signal);
  }
}
