import type { VolumeAttachment } from "@stowage/machinery";
import type { Attaching } from "./attaching.ts";
import { type Publication, publicationOf, unpublish } from "./publication.ts";

/**
 * Whether a VolumeAttachment went although the attacher had not let go of it. An API server that has read an object without
 * finalizers in order to delete it carries on when one is added meanwhile, and whoever added it is told that all is well. What
 * goes in order is marked as being deleted first.
 */
export function wentPastFinalizer({ metadata }: VolumeAttachment, finalizer: string): boolean {
  return metadata.deletionTimestamp === undefined && (metadata.finalizers?.includes(finalizer) ?? false);
}

/** By the name of the VolumeAttachment, what nobody else would ever detach. */
export type LostAttachments = Map<string, Publication>;

/** What is needed to detach is taken down now: the PersistentVolume may go before it is done. */
export function noteLost(
  deps: Pick<Attaching, "lost" | "logger" | "volumes" | "csiNodes" | "driver">,
  attachment: VolumeAttachment,
): void {
  const { name = "" } = attachment.metadata;
  const about = { volumeAttachment: name, node: attachment.spec.nodeName };
  try {
    deps.lost.set(name, publicationOf(deps, attachment));
    deps.logger.warn(about, "it was deleted while its finalizer was being added, so that its volume is detached now");
  } catch (error) {
    deps.logger.error({ ...about, error }, "it was deleted past its finalizer, and its volume cannot be told");
  }
}

/** Before anything else is done for the name: the next VolumeAttachment of that name may want the volume at the same node. */
export async function detachLost(
  deps: Pick<Attaching, "lost" | "logger" | "client" | "csi" | "options">,
  name: string,
  signal: AbortSignal,
): Promise<void> {
  const publication = deps.lost.get(name);
  if (publication === undefined) return;
  await unpublish(deps, publication, signal);
  deps.lost.delete(name);
  deps.logger.info({ volumeAttachment: name, node: publication.nodeId }, "detached what nobody holds any more");
}
