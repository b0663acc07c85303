import { readdir, readFile, readlink } from "node:fs/promises";
import { heldDescriptorOfCommands } from "@stowage/csi/host";
import { type Clock, type Logger, StowageError } from "@stowage/machinery";
import { partialSuffix } from "./layout.ts";

const longestWaitMs = 60_000;
const pollMs = 5;

interface WaitDeps {
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * The commands of a driver that was killed run on: a mount may be made, a file system frozen or grown after the kill. Before
 * anything is settled or begun they must have ended. What they make aside is thrown away anyway, so those that do are ended.
 */
export async function waitForOrphans(ownerPath: string, { clock, logger }: WaitDeps): Promise<void> {
  const startedMs = clock.monotonicMs();
  for (;;) {
    const orphans = await orphansOf(ownerPath);
    const [first] = orphans;
    if (!first) return;
    if (clock.monotonicMs() - startedMs > longestWaitMs) {
      const complaint = `Process ${first.pid} (${first.command}), begun by an earlier driver, still works on the state directory`;
      throw new StowageError("LOCAL_STATE_IN_USE", `${complaint} (${ownerPath}).`);
    }
    for (const { pid, command } of orphans) {
      logger.info({ pid, command }, "waiting for a command that a stop left running");
      if (command.includes(partialSuffix)) endProcess(pid);
    }
    await clock.sleep(pollMs);
  }
}

interface Orphan {
  readonly pid: number;
  readonly command: string;
}

/** Every other process that has the owner's file open, or the one that the file took the place of. */
async function orphansOf(ownerPath: string): Promise<Orphan[]> {
  const pids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name)).map(Number);
  const found = await Promise.all(pids.map(async (pid) => ((await holds(pid, ownerPath)) ? [pid] : [])));
  const orphans = found.flat().filter((pid) => pid !== process.pid);
  return Promise.all(orphans.map(async (pid) => ({ pid, command: await commandOf(pid) })));
}

/**
 * A command has the file as the descriptor that the executor gives it. One that is only about to begin still looks like the driver,
 * and has it anywhere. Another user's processes cannot be looked into, nor can they be ours; and any may end meanwhile.
 */
async function holds(pid: number, path: string): Promise<boolean> {
  const isOwners = (link: string) => link === path || link === `${path} (deleted)`;
  if (isOwners(await linkOf(`/proc/${pid}/fd/${heldDescriptorOfCommands}`))) return true;
  if ((await linkOf(`/proc/${pid}/exe`)) !== (await linkOf("/proc/self/exe"))) return false;
  const names = await readdir(`/proc/${pid}/fd`).catch(() => []);
  return (await Promise.all(names.map((name) => linkOf(`/proc/${pid}/fd/${name}`)))).some(isOwners);
}

const linkOf = (path: string) => readlink(path).catch(() => "");

async function commandOf(pid: number): Promise<string> {
  const text = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
  return text.replaceAll("\0", " ").trim();
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}
