import { access, constants, mkdtemp, readFile, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { CommandError, type Mounter } from "@stowage/csi/host";

const sysResourceBit = 24n;

/** CAP_SYS_RESOURCE: the kernel refuses to grow a mounted ext4 without it. */
export async function hasSysResource(): Promise<boolean> {
  const status = await readFile("/proc/self/status", "utf8");
  const effective = BigInt(`0x${/^CapEff:\s+([0-9a-f]+)$/m.exec(status)?.[1] ?? "0"}`);
  return ((effective >> sysResourceBit) & 1n) === 1n;
}

/** Root of a user namespace may not, whatever the mode of the device says: the kernel would not mount its file system. */
export async function mayAttachLoopDevices(): Promise<boolean> {
  const isMachineRoot = process.getuid?.() === 0 && /^\s*0\s+0\s/.test(await readFile("/proc/self/uid_map", "utf8"));
  return access("/dev/loop-control", constants.R_OK | constants.W_OK).then(
    () => isMachineRoot,
    () => false,
  );
}

/** Found out by doing it. */
export async function mayBind(mounter: Mounter, parent: string): Promise<boolean> {
  const folder = await mkdtemp(join(parent, ".bind-"));
  try {
    await mounter.bind(folder, folder);
    await mounter.unmount(folder);
    return true;
  } catch (error) {
    if (error instanceof CommandError) return false;
    throw error;
  } finally {
    await rmdir(folder);
  }
}
