import { readFile, rename, writeFile } from "node:fs/promises";
import { StowageError } from "@stowage/machinery";

/**
 * Two processes on one state directory would undo each other's work as if it were left over from a crash. A process is named by
 * its number, when it started and the boot, so that a dead one's file is not taken for a living one's.
 */
export async function takeOwnership(path: string): Promise<void> {
  const owner = await readFile(path, "utf8").catch(() => "");
  const [ownerPid = ""] = owner.split(" ");
  if (/^\d+$/.test(ownerPid) && ownerPid !== `${process.pid}` && owner === (await identityOf(ownerPid))) {
    throw new StowageError("LOCAL_STATE_IN_USE", `The state directory is used by process ${ownerPid} (${path}).`);
  }
  const own = (await identityOf(`${process.pid}`)) ?? "";
  await writeFile(`${path}.${process.pid}`, own);
  await rename(`${path}.${process.pid}`, path);
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
