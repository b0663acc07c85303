import { createHash } from "node:crypto";
import type { LocalDeps } from "../local-deps.ts";
import { refusal } from "../requests/refusal.ts";
import { volumeContentPath } from "../state/layout.ts";
import type { SnapshotRecord, VolumeRecord } from "../state/records.ts";
import type { NodeVolume } from "../storage/node-mounts.ts";

/**
 * Ids come from names, so that a retry finds even a volume whose state file was damaged, and any name is safe in a path. With
 * the node's in it, no two nodes have a volume of the same id. Changing this loses the tie between name and volume.
 */
export function idFor({ options }: LocalDeps, kind: "vol" | "snap" | "group", name: string): string {
  return `${kind}-${createHash("sha256").update(`${options.nodeId}\0${name}`).digest("hex").slice(0, 32)}`;
}

export function volumeNamed(deps: LocalDeps, name: string): VolumeRecord | undefined {
  return deps.state.volumes.get(idFor(deps, "vol", name)) ?? deps.state.volumes.find((volume) => volume.name === name);
}

/** Fails for volumes that are not there, and for those whose state file was damaged. */
export function requireVolume(deps: LocalDeps, id: string): VolumeRecord {
  const record = deps.state.volumes.get(id);
  if (record) return record;
  refuseBroken(deps, id);
  throw refusal(
    "NOT_FOUND",
    `Volume ${id} is not on this node.`,
    "Check the volume's id, and on which node it was made.",
  );
}

export function refuseBroken({ state }: LocalDeps, id: string): void {
  const kept = state.volumes.broken().get(id);
  if (kept === undefined) return;
  throw refusal(
    "DATA_LOSS",
    `Volume ${id} is broken: its state file was damaged and kept as ${kept}. Its data is untouched in ${volumeContentPath(state.layout, id)}.`,
    `Put a whole state file at ${state.layout.volumeRecords}/${id}.json, remove the kept one, and restart the driver.`,
  );
}

/** Fails for snapshots that are not there, and for those whose state file was damaged. */
export function requireSnapshot(deps: LocalDeps, id: string): SnapshotRecord {
  const record = deps.state.snapshots.get(id);
  if (record) return record;
  refuseBrokenSnapshot(deps, id);
  const nextStep = "Check the snapshot's id, and on which node it was made.";
  throw refusal("NOT_FOUND", `Snapshot ${id} is not on this node.`, nextStep);
}

export function refuseBrokenSnapshot({ state }: LocalDeps, id: string): void {
  const kept = state.snapshots.broken().get(id);
  if (kept === undefined) return;
  const nextStep = `Put a whole state file at ${state.layout.snapshotRecords}/${id}.json, remove the kept one, and restart the driver.`;
  throw refusal("DATA_LOSS", `Snapshot ${id} is broken: its state file was damaged and kept as ${kept}.`, nextStep);
}

export function refuseBrokenGroup({ state }: LocalDeps, id: string): void {
  const kept = state.groups.broken().get(id);
  if (kept === undefined) return;
  const nextStep = `Put a whole state file at ${state.layout.groupRecords}/${id}.json, remove the kept one, and restart the driver.`;
  throw refusal(
    "DATA_LOSS",
    `Group snapshot ${id} is broken: its state file was damaged and kept as ${kept}.`,
    nextStep,
  );
}

export function nodeVolume({ state }: LocalDeps, record: VolumeRecord): NodeVolume {
  return { record, contentPath: volumeContentPath(state.layout, record.id) };
}

/** Where the volume's content lies, for volumes that this driver knows, whole or broken. */
export function knownContentPath({ state }: LocalDeps, id: string): string | undefined {
  const isKnown = state.volumes.get(id) !== undefined || state.volumes.broken().has(id);
  return isKnown ? volumeContentPath(state.layout, id) : undefined;
}
