import { isDeepStrictEqual } from "node:util";
import type { AnyContent } from "./content-step.ts";

/**
 * Whether a change of a content is news. What the sidecar itself writes (status, finalizer, intent) is not: taken for news, each
 * failure it records would make it call the driver again at once, past the backoff. That a snapshot has become ready is: its
 * deletion may have been waiting for it.
 */
export function isNews(content: AnyContent, previous: AnyContent, ownAnnotation: string): boolean {
  const { metadata, spec, status } = content;
  const before = previous.metadata;
  return (
    metadata.resourceVersion === before.resourceVersion ||
    (status?.readyToUse === true && previous.status?.readyToUse !== true) ||
    metadata.deletionTimestamp !== before.deletionTimestamp ||
    !isDeepStrictEqual(spec, previous.spec) ||
    !isDeepStrictEqual(metadata.labels, before.labels) ||
    !isDeepStrictEqual(without(metadata.annotations, ownAnnotation), without(before.annotations, ownAnnotation))
  );
}

function without(annotations: Readonly<Record<string, string>> = {}, name: string): Record<string, string> {
  const { [name]: _own, ...others } = annotations;
  return others;
}
