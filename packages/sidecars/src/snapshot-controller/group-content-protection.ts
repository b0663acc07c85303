import { groupSnapshotAnnotations, groupSnapshotReasons, snapshotFinalizers } from "@stowage/machinery";
import { type SyncOutcome, TerminalError } from "@stowage/operator";
import { groupContentNameOf } from "./desired-group-content.ts";
import { deleteLeftContent } from "./left-content.ts";
import type { GroupWorld, World } from "./world.ts";

/** As with the contents of snapshots. */
export async function syncGroupContentProtection(world: World, groups: GroupWorld, key: string): Promise<SyncOutcome> {
  const { events, clock, logger } = world;
  const { contents, snapshots } = groups;
  const content = contents.getByKey(key);
  if (content === undefined) return undefined;
  const { source, volumeGroupSnapshotRef: ref } = content.spec;
  if ((source.groupSnapshotHandles === undefined) === ((source.volumeHandles ?? []).length === 0)) {
    const problem = "exactly one of groupSnapshotHandles and volumeHandles must be set";
    const message = `${problem}. Delete the content and make it anew.`;
    events.event(content, "Warning", groupSnapshotReasons.contentInvalid, message);
    throw new TerminalError(`${key}: ${problem}`);
  }
  const { finalizers = [], deletionTimestamp } = content.metadata;
  const isProtected = finalizers.includes(snapshotFinalizers.groupContent);
  if (!isProtected && deletionTimestamp === undefined && (ref.uid ?? "") !== "") {
    await contents.edit(content, { metadata: { finalizers: [...finalizers, snapshotFinalizers.groupContent] } });
  }
  const ownName = groupContentNameOf({ metadata: ref });
  const { beingDeleted } = groupSnapshotAnnotations;
  return await deleteLeftContent({ clock, logger, contents, snapshots }, { content, ref, ownName, beingDeleted });
}
