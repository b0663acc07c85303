import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { join } from "node:path";
import { listFolder, removeEmptyFolder } from "../files.ts";
import { runCommand } from "../process/command.ts";

const CGROUP_ROOT = "/sys/fs/cgroup";
const LOG_LINKS = "/var/log/containers";
/** Fixed in the kubelet, whatever its own folder is. */
const DEVICE_PLUGINS = "/var/lib/kubelet/device-plugins";

/** The kubelet makes a loop device for each raw block volume; those on files of the lab are given back. */
export async function detachLoopDevices(folders: readonly string[]): Promise<void> {
  for (const device of listFolder("/sys/block").filter((name) => name.startsWith("loop"))) {
    const backing = join("/sys/block", device, "loop/backing_file");
    if (!existsSync(backing)) continue;
    const file = readFileSync(backing, "utf8").trim();
    if (folders.some((folder) => file.startsWith(`${folder}/`)))
      await runCommand("losetup", ["--detach", `/dev/${device}`]);
  }
}

/** In one hierarchy, or in one for each controller (cgroup v1). A group that still has processes stays. */
export function removePodCgroups(): void {
  for (const hierarchy of [CGROUP_ROOT, ...listFolder(CGROUP_ROOT).map((name) => join(CGROUP_ROOT, name))]) {
    const group = join(hierarchy, "kubepods");
    if (existsSync(group)) removeEmptyFolders(group);
  }
}

function removeEmptyFolders(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) removeEmptyFolders(join(folder, entry.name));
  }
  removeEmptyFolder(folder);
}

/** The kubelet links each container's log there; without the Pods' logs the links lead nowhere. */
export function removeLogLinks(podLogFolder: string): void {
  for (const name of listFolder(LOG_LINKS)) {
    const link = join(LOG_LINKS, name);
    if (linkTarget(link)?.startsWith(`${podLogFolder}/`) === true) rmSync(link);
  }
  removeEmptyFolder(LOG_LINKS);
}

/** Folders that the kubelet and containerd's shims make in fixed places. */
export function removeFixedFolders(): void {
  for (const name of ["kubelet.sock", "kubelet_internal_checkpoint", "DEPRECATION"]) {
    rmSync(join(DEVICE_PLUGINS, name), { force: true });
  }
  removeEmptyFolder(DEVICE_PLUGINS);
  for (const folder of ["/var/lib/kubelet", "/run/containerd/s", "/run/containerd"]) removeEmptyFolder(folder);
}

function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined; // Not a link, or gone.
  }
}
