import { isDeepStrictEqual } from "node:util";
import { attachingAnnotations, type VolumeAttachment } from "@stowage/machinery";

/**
 * Whether an update is more than what the attacher itself has just written on its way: the error of the last try, the finalizer
 * and the node's id. Looked at again because of those, an attachment that fails would be tried at once, over and over, instead of
 * later and later.
 */
export function isAttachmentNews(finalizer: string, attachment: VolumeAttachment, previous: VolumeAttachment): boolean {
  return !isDeepStrictEqual(others(attachment, finalizer), others(previous, finalizer));
}

function others({ metadata, spec, status }: VolumeAttachment, finalizer: string): unknown {
  const {
    resourceVersion: _version,
    managedFields: _managedFields,
    finalizers = [],
    annotations = {},
    ...rest
  } = metadata;
  const { [attachingAnnotations.nodeId]: _nodeId, ...otherAnnotations } = annotations;
  const { attachError: _attachError, detachError: _detachError, ...otherStatus } = status ?? { attached: false };
  const otherFinalizers = finalizers.filter((each) => each !== finalizer);
  return { rest, otherAnnotations, otherFinalizers, spec, otherStatus };
}
