import type { Event, ObjectMeta } from "@stowage/machinery";
import type { CauseCode } from "./causes.ts";

/** Something that anybody can look up: which object, which of its fields or events, and what it says. */
export interface Evidence {
  /** `PersistentVolumeClaim shop/data` */
  readonly object: string;
  /** `spec.storageClassName` */
  readonly field?: string;
  /** The reason of an event. */
  readonly event?: string;
  readonly value: string;
}

/** Why something is not there. */
export interface Finding {
  readonly cause: CauseCode;
  /** The particulars, in one sentence. */
  readonly says: string;
  readonly evidence: readonly Evidence[];
  /** What to type, in this order. */
  readonly mend: readonly string[];
}

interface Named {
  readonly kind: string;
  readonly metadata: Pick<ObjectMeta, "namespace" | "name">;
}

/** `PersistentVolumeClaim shop/data` */
export function nameOf({ kind, metadata }: Named): string {
  return `${kind} ${keyOf(metadata)}`;
}

/** `shop/data`, or `data` for what has no namespace. */
export function keyOf({ namespace, name = "" }: Named["metadata"]): string {
  return namespace ? `${namespace}/${name}` : name;
}

export function field(object: Named, path: string, value: unknown): Evidence {
  return { object: nameOf(object), field: path, value: typeof value === "string" ? value : JSON.stringify(value) };
}

export function missing(kind: string, metadata: Named["metadata"]): Evidence {
  return { object: nameOf({ kind, metadata }), value: "does not exist" };
}

export function told({ involvedObject: { kind = "", namespace, name }, reason = "", message = "" }: Event): Evidence {
  const isClusterScoped = clusterScoped.has(kind);
  const metadata = { name, ...(isClusterScoped ? {} : { namespace }) };
  return { object: nameOf({ kind, metadata }), event: reason, value: message };
}

/** Their events are in a namespace, they are not. */
const clusterScoped: ReadonlySet<string> = new Set([
  "PersistentVolume",
  "StorageClass",
  "Node",
  "VolumeSnapshotContent",
  "VolumeGroupSnapshotContent",
  "VolumeAttachment",
]);

/** ` -n shop` */
export function inNamespace({ namespace }: Named["metadata"]): string {
  return namespace ? ` -n ${namespace}` : "";
}
