import {
  snapshotAnnotations,
  snapshotFinalizers,
  snapshotReasons,
  type VolumeSnapshotContent,
} from "@stowage/machinery";
import { type SyncOutcome, TerminalError } from "@stowage/operator";
import { contentNameOf } from "./desired-content.ts";
import { deleteLeftContent } from "./left-content.ts";
import type { World } from "./world.ts";

/** A content that belongs to a snapshot stays until the sidecar lets it go, whoever made it. One whose snapshot is gone goes. */
export async function syncContentProtection(world: World, key: string): Promise<SyncOutcome> {
  const { contents, events } = world;
  const content = contents.getByKey(key);
  if (content === undefined) return undefined;
  const { volumeHandle, snapshotHandle } = content.spec.source;
  if ((volumeHandle === undefined) === (snapshotHandle === undefined)) {
    const problem = "exactly one of volumeHandle and snapshotHandle must be set";
    events.event(
      content,
      "Warning",
      snapshotReasons.contentInvalid,
      `${problem}. Delete the content and make it anew.`,
    );
    throw new TerminalError(`${key}: ${problem}`);
  }
  if (needsFinalizer(content)) {
    const finalizers = [...(content.metadata.finalizers ?? []), snapshotFinalizers.content];
    await contents.edit(content, { metadata: { finalizers } });
  }
  const ref = content.spec.volumeSnapshotRef;
  const ownName = contentNameOf({ metadata: ref });
  return await deleteLeftContent(world, { content, ref, ownName, beingDeleted: snapshotAnnotations.beingDeleted });
}

export function needsFinalizer({ metadata, spec }: VolumeSnapshotContent): boolean {
  const isBound = (spec.volumeSnapshotRef.uid ?? "") !== "";
  const has = metadata.finalizers?.includes(snapshotFinalizers.content) ?? false;
  return isBound && !has && metadata.deletionTimestamp === undefined;
}
