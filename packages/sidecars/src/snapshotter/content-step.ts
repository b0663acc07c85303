import type { DeletionPolicy, KubernetesObject } from "@stowage/machinery";

/** What both kinds of content, of a snapshot and of a group, have in common. */
export interface AnyContent extends KubernetesObject {
  spec: { deletionPolicy: DeletionPolicy; driver: string };
  status?: { readyToUse?: boolean; error?: { time?: string; message?: string } };
}

/** What the decision needs to know of a content beyond what all have. */
export interface ContentFacts {
  readonly source: "volumes" | "existing" | "none";
  /** The uid of the snapshot that it belongs to is filled in. */
  readonly isBound: boolean;
  /** The driver's id of what is in the storage, once known. */
  readonly handle: string | undefined;
  /** Of a group: the driver takes and deletes it with the group, never by itself. */
  readonly isGroupMember: boolean;
}

export interface ContentNames {
  readonly beingCreated: string;
  readonly beingDeleted: string;
  readonly finalizer: string;
}

export type ContentStep =
  /** Nothing to do, or nothing of ours. */
  | "none"
  /** Have the driver take it, or ask again for what it took. */
  | "create"
  /** Ask the driver how it is. */
  | "query"
  /** It is ready; only the intent is still there. */
  | "settle"
  /** Have the driver delete it, then let go of the content. */
  | "delete"
  /** Let go of the content. */
  | "release";

/** What is to be done about a content, by nothing but what is written on it: so a restart goes on where the last process was. */
export function contentStep(content: AnyContent, facts: ContentFacts, names: ContentNames): ContentStep {
  if (facts.source === "none") return "none";
  if (shouldGo(content, facts, names)) {
    const isOurs = facts.handle !== undefined && !facts.isGroupMember;
    return isOurs && content.spec.deletionPolicy === "Delete" ? "delete" : "release";
  }
  if (content.status?.readyToUse === true) return has(content, names.beingCreated) ? "settle" : "none";
  if (facts.isGroupMember && facts.source === "volumes") return facts.handle === undefined ? "none" : "query";
  if (facts.source === "existing") return "query";
  return canBegin(content, names) ? "create" : "none";
}

/** What is on its way out without us cannot be made to wait for us any more. */
function canBegin(content: AnyContent, names: ContentNames): boolean {
  const { deletionTimestamp, finalizers = [] } = content.metadata;
  return deletionTimestamp === undefined || has(content, names.beingCreated) || finalizers.includes(names.finalizer);
}

/**
 * Not before the snapshot itself goes, and not while the storage may be taking the snapshot: then the call must be repeated first
 * to learn its id, or it would be left behind.
 */
function shouldGo(content: AnyContent, facts: ContentFacts, names: ContentNames): boolean {
  if (content.metadata.deletionTimestamp === undefined) return false;
  if (facts.source === "existing" && !facts.isBound) return true;
  return !has(content, names.beingCreated) && has(content, names.beingDeleted);
}

function has({ metadata }: KubernetesObject, annotation: string): boolean {
  return metadata.annotations?.[annotation] !== undefined;
}
