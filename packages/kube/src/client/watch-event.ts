import type { KubernetesObject } from "@stowage/machinery";

export type WatchEventType = "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK";

/** Which object an event is about, and in which version. */
export interface ObjectIdentity {
  readonly namespace?: string;
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
}

export interface WatchEvent<T extends KubernetesObject = KubernetesObject> {
  readonly type: WatchEventType;
  readonly identity: ObjectIdentity;
  /** Decoded at the first reading, where the watch allows that; throws MALFORMED_WATCH when it turns out not to be JSON. */
  readonly object: T;
}

/** An event that is decoded already. */
export function wholeEvent<T extends KubernetesObject>(type: WatchEventType, object: T): WatchEvent<T> {
  const { namespace, name = "", uid = "", resourceVersion = "" } = object.metadata ?? {};
  return { type, identity: { namespace, name, uid, resourceVersion }, object };
}
