import { type BigIntStats, constants } from "node:fs";
import { type FileHandle, lstat, mkdir, readdir, realpath, rmdir, stat, unlink, writeFile } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { type Executor, type Mounter, mountAt, unmountAll } from "@stowage/csi/host";
import { type Clock, type Logger, StowageError } from "@stowage/machinery";
import { isThere, makeFoldersWithin, openedPath, openWithin } from "./opened-path.ts";

export interface SubPathsDeps {
  readonly executor: Executor;
  readonly mounter: Mounter;
  readonly clock: Clock;
  readonly logger: Logger;
  /** A folder for each Pod, by uid. */
  readonly podsFolder: string;
  /** False where nothing can be mounted: containers see the machine as it is there, and links lead them nowhere that they could not go. */
  readonly hasMounts?: boolean;
}

/** One mount of a container that is of a part of its volume. */
export interface SubPathUse {
  readonly podUid: string;
  readonly container: string;
  /** Which of the container's mounts, counted from 0. */
  readonly index: number;
  /** As the Pod names it. */
  readonly volume: string;
  readonly volumePath: string;
  /** Checked by its text. */
  readonly within: string;
}

const folderName = "volume-subpaths";
const folderMode = 0o750;

/**
 * Parts of volumes for containers. Containers write to volumes, so a path in one may lead to the machine by a link, also by one that is
 * made at this very moment. Therefore what is opened without links is bound to a place of the Pod's own, and containers are given that.
 */
export class SubPaths {
  readonly #deps: SubPathsDeps;

  constructor(deps: SubPathsDeps) {
    this.#deps = deps;
  }

  /**
   * Resolves with the place for the container. Throws `CONTAINER_CONFIG` when there can be none; what was wrong is only logged, since
   * whoever made the Pod might learn of the machine by it.
   */
  async prepared(use: SubPathUse): Promise<string> {
    const { container, volume, volumePath, within } = use;
    const path = join(volumePath, within);
    const attempt = async <T>(doing: string, work: Promise<T>): Promise<T> =>
      work.catch((error: unknown) => {
        const about = { error, doing, podUid: use.podUid, container, volume };
        this.#deps.logger.warn(about, "a container cannot have a part of a volume");
        const message = `failed to ${doing} for volumeMount "${volume}" of container "${container}"`;
        throw new StowageError("CONTAINER_CONFIG", message, { cause: error });
      });
    if (!(await attempt("prepare subPath", isThere(path)))) {
      await attempt("create subPath directory", makeLikeVolume(volumePath, within));
    }
    return attempt("prepare subPath", this.#bind(use, path));
  }

  /** Resolves when there is none of them left. Must be done before the Pod's volumes are unmounted: these are held by them. */
  async removed(podUid: string): Promise<void> {
    const root = join(this.#deps.podsFolder, podUid, folderName);
    for (const volume of await namesIn(root)) {
      for (const container of await namesIn(join(root, volume))) {
        const folder = join(root, volume, container);
        for (const index of await namesIn(folder)) await this.#remove(join(folder, index));
        await rmdir(folder);
      }
      await rmdir(join(root, volume));
    }
    await rmdir(root).catch(ignoreMissing);
  }

  async #bind(use: SubPathUse, path: string): Promise<string> {
    // A link may lead to another place in the volume, as those of a ConfigMap do.
    const opened = await openWithin(await realpath(use.volumePath), await realpath(path));
    try {
      if (this.#deps.hasMounts === false) return await realpath(path);
      const target = await this.#target(use);
      if (await this.#isBound(opened, target)) return target;
      await makeTarget(opened, target);
      const source = openedPath(opened).replace("self", String(process.pid));
      await this.#deps.executor.run(["mount", "--no-canonicalize", "--bind", source, target]).catch(async (error) => {
        await this.#remove(target);
        throw error;
      });
      return target;
    } finally {
      await opened.close();
    }
  }

  async #target({ podUid, volume, volumePath, container, index }: SubPathUse): Promise<string> {
    const { podsFolder } = this.#deps;
    const name = specName(join(podsFolder, podUid), volumePath) ?? volume;
    return join(await realpath(podsFolder), podUid, folderName, name, container, String(index));
  }

  /** What an earlier start of the container had may be what is wanted now, too; if not, it goes. */
  async #isBound(opened: FileHandle, target: string): Promise<boolean> {
    const { mounter, clock } = this.#deps;
    if ((await mountAt(mounter, target)) === undefined) return false;
    if (isSame(await opened.stat({ bigint: true }), await lstat(target, { bigint: true }))) return true;
    await unmountAll(mounter, target, clock);
    return false;
  }

  async #remove(target: string): Promise<void> {
    const { mounter, clock } = this.#deps;
    const real = join(await realpath(dirname(target)), target.slice(dirname(target).length + 1));
    await unmountAll(mounter, real, clock);
    // Never with what is in it: were it still mounted, that would be the volume's.
    if ((await lstat(real)).isDirectory()) await rmdir(real);
    else await unlink(real);
  }
}

/** The name of a volume's folder where it is one of the Pod's own: that of its PersistentVolume, if it has one. */
export function specName(podFolder: string, volumePath: string): string | undefined {
  const volumes = join(podFolder, "volumes") + sep;
  return volumePath.startsWith(volumes) ? volumePath.slice(volumes.length).split(sep)[1] : undefined;
}

/** New folders let in whoever the volume lets in. */
async function makeLikeVolume(volumePath: string, within: string): Promise<void> {
  const { mode } = await stat(volumePath);
  await makeFoldersWithin(volumePath, within, mode & ~constants.S_IFMT);
}

async function makeTarget(opened: FileHandle, target: string): Promise<void> {
  await mkdir(dirname(target), { recursive: true, mode: folderMode });
  const isFolder = (await opened.stat()).isDirectory();
  const found = await lstat(target).catch(ignoreMissing);
  if (found !== undefined && found.isDirectory() !== isFolder) await (found.isDirectory() ? rmdir : unlink)(target);
  if (isFolder) await mkdir(target, { recursive: true, mode: folderMode });
  else await writeFile(target, "", { mode: 0o640 });
}

function isSame(one: BigIntStats, other: BigIntStats): boolean {
  return one.dev === other.dev && one.ino === other.ino;
}

async function namesIn(path: string): Promise<string[]> {
  return (await readdir(path).catch(ignoreMissing)) ?? [];
}

function ignoreMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
}
