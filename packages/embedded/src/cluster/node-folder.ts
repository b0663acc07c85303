import { mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { createMounter, mountAt, systemExecutor } from "@stowage/csi/host";
import { type ConfinementKind, HostView, kubeletFolder } from "../node/index.ts";

/** Where the local driver keeps volumes, and whatever else of ours is on a node's disk. */
const ownFolder = "/var/lib/stowage";

/** All that a node keeps, and what its Pods see of it. */
export interface NodeFolder {
  readonly folder: string;
  readonly hostView: HostView;
}

export interface NodeWishes {
  readonly name: string;
  readonly kind: ConfinementKind;
  /** Of the machine, in whose place the node has empty ones. */
  readonly emptyHostFolders: readonly string[];
}

/**
 * A node's folder, made ready: where this process may mount, mounts that drivers make below it in their containers are to be seen on the
 * machine and by other Pods.
 */
export async function readyNodeFolder(clusterFolder: string, wishes: NodeWishes): Promise<NodeFolder> {
  const { name, kind, emptyHostFolders } = wishes;
  const path = nodeFolderIn(clusterFolder, name);
  mkdirSync(path, { recursive: true, mode: 0o750 });
  const folder = realpathSync(path);
  if (kind !== "plain") await share(folder);
  const disk = nodeDisk(folder);
  mkdirSync(disk, { recursive: true, mode: 0o755 });
  const empty = emptyHostFolders.map((named) => [named, join(disk, "host", named)] as const);
  for (const [, place] of empty) mkdirSync(place, { recursive: true, mode: 0o755 });
  const places = { [kubeletFolder]: folder, [ownFolder]: disk, ...Object.fromEntries(empty) };
  return { folder, hostView: new HostView(places) };
}

/** What Pods of this node call `/var/lib/kubelet`. */
export function nodeFolderIn(clusterFolder: string, name: string): string {
  return join(clusterFolder, "nodes", name);
}

/** What the node's Pods have for the machine's disk. */
export function nodeDisk(folder: string): string {
  return join(folder, "disk");
}

async function share(folder: string): Promise<void> {
  const mounter = createMounter(systemExecutor);
  if ((await mountAt(mounter, folder)) !== undefined) return;
  await mounter.bind(folder, folder);
  await systemExecutor.run(["mount", "--make-rshared", folder]);
}
