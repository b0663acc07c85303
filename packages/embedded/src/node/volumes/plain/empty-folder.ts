import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { release } from "node:os";
import { join } from "node:path";
import { type Mounter, mountAt, unmountAll } from "@stowage/csi/host";
import { type Clock, StowageError } from "@stowage/machinery";
import { isMachineRoot } from "../../runtime/index.ts";
import { setVolumeOwnership } from "../ownership/volume-ownership.ts";

/** A folder of a Pod's that begins empty, on the disk or in memory. */
export interface EmptyFolder {
  readonly path: string;
  /** Holds a mark when the folder is as it should be: whoever uses it may change it then. */
  readonly markFolder: string;
  readonly isInMemory: boolean;
  readonly sizeBytes: bigint | undefined;
  readonly fsGroup: number | undefined;
}

export interface EmptyFolderDeps {
  readonly mounter: Mounter;
  readonly clock: Clock;
}

/** Whoever the containers are, they may write here. */
const openMode = 0o777;
const permissionBits = 0o777;
const markName = "ready";

export async function ensureEmptyFolder(
  { mounter }: EmptyFolderDeps,
  wish: EmptyFolder,
  signal: AbortSignal,
): Promise<void> {
  const { path, markFolder, isInMemory, sizeBytes, fsGroup } = wish;
  const isMounted = isInMemory && (await mountAt(mounter, path)) !== undefined;
  const isMarked = existsSync(join(markFolder, markName));
  if (isMarked && (isInMemory ? isMounted : existsSync(path))) return;
  mkdirSync(path, { recursive: true, mode: openMode });
  if (isInMemory && !isMounted) {
    const options = [...(sizeBytes === undefined ? [] : [`size=${sizeBytes}`]), ...(knowsNoSwap() ? ["noswap"] : [])];
    await mounter.mount({ device: "tmpfs", path, fsType: "tmpfs", options });
  } else if ((statSync(path).mode & permissionBits) !== openMode) {
    // Not left to the mask of this process.
    chmodSync(path, openMode);
  }
  if (fsGroup !== undefined) {
    await setVolumeOwnership({ path, fsGroup, changePolicy: undefined, isReadOnly: false }, signal);
  }
  mkdirSync(markFolder, { recursive: true, mode: 0o750 });
  writeFileSync(join(markFolder, markName), "");
}

/** With all that is in it. */
export async function removeEmptyFolder(
  { mounter, clock }: EmptyFolderDeps,
  { path, markFolder }: Pick<EmptyFolder, "path" | "markFolder">,
): Promise<void> {
  rmSync(markFolder, { recursive: true, force: true });
  await unmountAll(mounter, path, clock);
  const below = (await mounter.table()).find(({ mountPoint }) => mountPoint.startsWith(`${path}/`));
  // What is mounted there is somebody else's, and must not be removed with it.
  if (below !== undefined) {
    throw new StowageError("VOLUME_BUSY", `${path} cannot be removed: something is mounted at ${below.mountPoint}`);
  }
  rmSync(path, { recursive: true, force: true });
}

export function namesIn(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return []; // There is nothing of it.
  }
}

/** Before that, and for root of a user namespace, `tmpfs` refuses to be mounted so. */
function knowsNoSwap(): boolean {
  if (!isMachineRoot()) return false;
  const [major = 0, minor = 0] = release().split(".").map(Number);
  return major > 6 || (major === 6 && minor >= 4);
}
