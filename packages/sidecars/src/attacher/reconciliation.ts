import type { ObjectReader } from "@stowage/kube";
import type { VolumeAttachment } from "@stowage/machinery";
import type { Attaching } from "./attaching.ts";
import { publicationOf } from "./publication.ts";
import { publishedNodes } from "./published-nodes.ts";

/**
 * Compares what VolumeAttachments say with what the driver says, for instance after somebody detached a volume by hand, and returns
 * the names of those that differ. What changed while the driver was asked is left for the next time: the two answers would be of
 * different times.
 */
async function differingAttachments(
  deps: Attaching,
  cache: ObjectReader<VolumeAttachment>,
  signal: AbortSignal,
): Promise<string[]> {
  const before = cache.list().filter(({ spec }) => spec.attacher === deps.driver.name);
  const published = await publishedNodes(deps, signal);
  return before
    .filter((attachment) => deps.attachments.getByKey(attachment.metadata.name ?? "") === attachment)
    .filter((attachment) => {
      const isPublished = isPublishedTo(deps, attachment, published);
      return isPublished !== undefined && isPublished !== (attachment.status?.attached ?? false);
    })
    .map(({ metadata }) => metadata.name ?? "");
}

/** Undefined for what cannot be told; attaching or detaching it says why. */
function isPublishedTo(
  deps: Attaching,
  attachment: VolumeAttachment,
  published: ReadonlyMap<string, readonly string[]>,
): boolean | undefined {
  try {
    const { volumeId, nodeId } = publicationOf(deps, attachment);
    return published.get(volumeId)?.includes(nodeId) ?? false;
  } catch (error) {
    deps.logger.debug({ volumeAttachment: attachment.metadata.name, error }, "cannot be compared with the driver");
    return undefined;
  }
}

/** Tells of each attachment that differs, at once and then regularly. That the driver cannot be asked now harms nobody. */
export async function reconcileRegularly(
  deps: Attaching,
  cache: ObjectReader<VolumeAttachment>,
  onDiffering: (name: string) => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      for (const name of await differingAttachments(deps, cache, signal)) {
        deps.logger.warn(
          { volumeAttachment: name },
          "the driver says otherwise, so that it is attached or detached again",
        );
        onDiffering(name);
      }
    } catch (error) {
      if (!signal.aborted) deps.logger.warn({ error }, "cannot compare attachments with the driver; tried again later");
    }
    await deps.clock.sleep(deps.options.reconcileMs, signal).catch(() => {});
  }
}
