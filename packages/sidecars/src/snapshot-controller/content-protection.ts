import { snapshotFinalizers, snapshotReasons, type VolumeSnapshotContent } from "@stowage/machinery";
import { TerminalError } from "@stowage/operator";
import type { World } from "./world.ts";

/** A content that belongs to a snapshot stays until the sidecar lets it go, whoever made it. */
export async function syncContentProtection({ contents, events }: World, key: string): Promise<void> {
  const content = contents.getByKey(key);
  if (content === undefined) return;
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
  if (!needsFinalizer(content)) return;
  const finalizers = [...(content.metadata.finalizers ?? []), snapshotFinalizers.content];
  await contents.edit(content, { metadata: { finalizers } });
}

export function needsFinalizer({ metadata, spec }: VolumeSnapshotContent): boolean {
  const isBound = (spec.volumeSnapshotRef.uid ?? "") !== "";
  const has = metadata.finalizers?.includes(snapshotFinalizers.content) ?? false;
  return isBound && !has && metadata.deletionTimestamp === undefined;
}
