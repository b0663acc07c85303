import { groupSnapshotReasons, snapshotFinalizers } from "@stowage/machinery";
import { TerminalError } from "@stowage/operator";
import type { GroupWorld, World } from "./world.ts";

/** As with the contents of snapshots. */
export async function syncGroupContentProtection(
  { events }: World,
  { contents }: GroupWorld,
  key: string,
): Promise<void> {
  const content = contents.getByKey(key);
  if (content === undefined) return;
  const { source, volumeGroupSnapshotRef: ref } = content.spec;
  if ((source.groupSnapshotHandles === undefined) === ((source.volumeHandles ?? []).length === 0)) {
    const problem = "exactly one of groupSnapshotHandles and volumeHandles must be set";
    const message = `${problem}. Delete the content and make it anew.`;
    events.event(content, "Warning", groupSnapshotReasons.contentInvalid, message);
    throw new TerminalError(`${key}: ${problem}`);
  }
  const { finalizers = [], deletionTimestamp } = content.metadata;
  const isProtected = finalizers.includes(snapshotFinalizers.groupContent);
  if (isProtected || deletionTimestamp !== undefined || (ref.uid ?? "") === "") return;
  await contents.edit(content, { metadata: { finalizers: [...finalizers, snapshotFinalizers.groupContent] } });
}
