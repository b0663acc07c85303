import { existsSync, readdirSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { CommandError, createMounter, deviceNumber, systemExecutor, unmountAll } from "@stowage/csi/host";
import type { Clock } from "@stowage/machinery";
import { type Container, ProcessRuntime } from "../node/index.ts";
import { nodeDisk } from "./node-folder.ts";

export interface RemainsDeps {
  /** Of the whole cluster. Nobody may run it. */
  readonly folder: string;
  readonly clock: Clock;
  /** What containers have to end by themselves. */
  readonly graceMs: number;
}

const DEVICE_PATIENCE_MS = 10_000;
const DEVICE_STEP_MS = 20;

/**
 * Ends what runs on when a cluster stops: its containers, those that others rely on last; then its mounts and loop devices. What is kept
 * on disk stays, and the next start goes on from there.
 */
export async function endRemains(deps: RemainsDeps): Promise<void> {
  if (!existsSync(deps.folder)) return;
  const folder = realpathSync(deps.folder);
  for (const node of pathsIn(join(folder, "nodes"))) await endContainers(deps, join(node, "containers"));
  await letGoBelow(folder, deps.clock);
}

/** Whether something of a cluster that was killed runs on. If nothing does, its mounts and devices are gone, too. */
export async function hasRemains({ folder: path, clock }: Pick<RemainsDeps, "folder" | "clock">): Promise<boolean> {
  if (!existsSync(path)) return false;
  const folder = realpathSync(path);
  for (const node of pathsIn(join(folder, "nodes"))) {
    const containers = join(node, "containers");
    if (!existsSync(containers)) continue;
    using runtime = ProcessRuntime.look({ folder: containers, clock });
    if (runtime.list().some(({ exit }) => exit === undefined)) return true;
  }
  await letGoBelow(folder, clock);
  return false;
}

async function endContainers({ clock, graceMs }: RemainsDeps, folder: string): Promise<void> {
  if (!existsSync(folder)) return;
  using runtime = ProcessRuntime.look({ folder, clock });
  const running = runtime.list().filter(({ exit }) => exit === undefined);
  for (const batch of stopOrder(running))
    await Promise.all(batch.map((container) => endContainer(container, clock, graceMs)));
}

/** Whoever uses storage goes before those who provide it, and a driver goes last. */
export function stopOrder<T extends Pick<Container, "labels">>(containers: readonly T[]): T[][] {
  const rankOf = ({ labels: { podNamespace } }: T) =>
    podNamespace.endsWith("-csi-drivers") ? 2 : podNamespace.startsWith("openshift-") ? 1 : 0;
  return [0, 1, 2]
    .map((rank) => containers.filter((each) => rankOf(each) === rank))
    .filter((batch) => batch.length > 0);
}

async function endContainer(container: Container, clock: Clock, graceMs: number): Promise<void> {
  container.signal("SIGTERM");
  const waited = new AbortController();
  const isPatienceOver = clock.sleep(graceMs, waited.signal).then(
    () => container.signal("SIGKILL"),
    () => {},
  );
  await container.exited;
  waited.abort();
  await isPatienceOver;
}

/** What keeps a device for a Pod holds the mount that it was given by, and goes before it; other devices are held by mounts. */
async function letGoBelow(folder: string, clock: Clock): Promise<void> {
  await detachBelow(folder, isDevice);
  await unmountBelow(folder, clock);
  await detachBelow(folder);
  await devicesGone(folder, clock);
}

/** A device that is let go stays while anybody has it: a container that is just being made, of whatever cluster, begins with all mounts there are. */
async function devicesGone(folder: string, clock: Clock): Promise<void> {
  const untilMs = clock.monotonicMs() + DEVICE_PATIENCE_MS;
  while ((await devicesBelow(folder)).length > 0 && clock.monotonicMs() < untilMs) await clock.sleep(DEVICE_STEP_MS);
}

function isDevice(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isBlockDevice() ?? false;
}

/** The last first, since it may lie on top of others; those of containers are theirs and gone with them. */
async function unmountBelow(folder: string, clock: Clock): Promise<void> {
  const mounter = createMounter(systemExecutor);
  const isBelow = (path: string) => path === folder || path.startsWith(`${folder}/`);
  const below = (await mounter.table()).filter(({ mountPoint }) => isBelow(mountPoint));
  for (const { mountPoint } of below.toReversed()) await unmountAll(mounter, mountPoint, clock);
}

async function detachBelow(folder: string, isMeant?: (path: string) => boolean): Promise<void> {
  for (const { name } of await devicesBelow(folder, isMeant))
    await systemExecutor.run(["losetup", "--detach", name], { acceptedExitCodes: [1] });
}

/**
 * Loop devices of files below the folder: the mount of one that is taken away leaves it. One that a driver made in its container has a path
 * from where its own mount begins, the disk of a node or a folder there: so the file is looked for there, too, and told by its numbers.
 */
async function devicesBelow(folder: string, isMeant: (path: string) => boolean = () => true): Promise<LoopDevice[]> {
  const disks = pathsIn(join(folder, "nodes")).map(nodeDisk);
  const starts = [...disks, ...disks.flatMap(pathsIn)];
  return (await loopDevices()).filter(({ backFile, file }) => {
    const places = [
      ...(backFile.startsWith(`${folder}/`) ? [backFile] : []),
      ...starts.map((start) => join(start, backFile)),
    ];
    return places.some((path) => fileNumbers(path) === file && isMeant(path));
  });
}

/** Its number, and that of its file system: files of two file systems may have the same. */
function fileNumbers(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found && `${found.ino} ${deviceNumber(found.dev)}`;
}

interface LoopDevice {
  readonly name: string;
  readonly backFile: string;
  /** Its numbers. */
  readonly file: string;
}

/** Where there is no right to loop devices there are none of ours. */
async function loopDevices(): Promise<LoopDevice[]> {
  const columns = "NAME,BACK-INO,BACK-MAJ:MIN,BACK-FILE";
  try {
    const { stdout } = await systemExecutor.run(["losetup", "--list", "--noheadings", "--raw", "--output", columns]);
    return stdout
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => {
        const [name = "", inode = "", fileSystem = "", backFile = ""] = line.split(" ");
        return { name, file: `${inode} ${unescaped(fileSystem).trim()}`, backFile: unescaped(backFile) };
      });
  } catch (error) {
    if (error instanceof CommandError) return [];
    throw error;
  }
}

/** Blanks and the like are written as `\x20`. */
function unescaped(text: string): string {
  return text.replaceAll(/\\x(?<code>[0-9a-f]{2})/gu, (_whole, code: string) =>
    String.fromCodePoint(Number.parseInt(code, 16)),
  );
}

function pathsIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
}
