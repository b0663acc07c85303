import { openSync } from "node:fs";
import { open, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { StowageError } from "@stowage/machinery";
import { isDiskFull } from "../requests/refusal.ts";

/**
 * Two processes on one state directory would undo each other's work as if it were left over from a crash. A process is named by
 * its number, when it started and the boot, so that a dead one's file is not taken for a living one's.
 *
 * Answers the file's descriptor, open as long as the process runs: its commands have it as well, and who has it open when the
 * process is dead is a command that runs on.
 */
export async function takeOwnership(path: string): Promise<number> {
  const owner = await readFile(path, "utf8").catch(() => "");
  const [ownerPid = ""] = owner.split(" ");
  if (/^\d+$/.test(ownerPid) && ownerPid !== `${process.pid}` && owner === (await identityOf(ownerPid))) {
    throw new StowageError("LOCAL_STATE_IN_USE", `The state directory is used by process ${ownerPid} (${path}).`);
  }
  const own = (await identityOf(`${process.pid}`)) ?? "";
  try {
    await writeFile(`${path}.${process.pid}`, own);
    await rename(`${path}.${process.pid}`, path);
  } catch (error) {
    await rm(`${path}.${process.pid}`, { force: true });
    if (!isDiskFull(error)) throw error;
    await overwrite(path, own);
  }
  await removeUnfinished(path);
  return openSync(path, "r");
}

/** What a process left that was killed while it took ownership. */
async function removeUnfinished(path: string): Promise<void> {
  const prefix = `${basename(path)}.`;
  for (const name of await readdir(dirname(path))) {
    if (name.startsWith(prefix)) await rm(join(dirname(path), name), { force: true });
  }
}

/** On a full disk, for the space that the file has. A driver that could not start there could not delete anything either. */
async function overwrite(path: string, text: string): Promise<void> {
  const file = await open(path, "r+");
  try {
    await file.write(text, 0);
    await file.truncate(Buffer.byteLength(text));
  } finally {
    await file.close();
  }
}

/** Undefined for a process that does not run. */
async function identityOf(pid: string): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  if (stat === undefined) return undefined;
  // The name may hold spaces and brackets; what follows it does not. The first field then is the state, the twentieth the start.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  if (fields[0] === "Z") return undefined;
  const boot = await readFile("/proc/sys/kernel/random/boot_id", "utf8");
  return `${pid} ${fields[19]} ${boot.trim()}`;
}
