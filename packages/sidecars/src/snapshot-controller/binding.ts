import type { ObjectMeta, ObjectReference } from "@stowage/machinery";

export interface BindingFacts {
  readonly snapshot: ObjectMeta;
  /** What the content says that it belongs to. */
  readonly ref: ObjectReference;
  /** What a snapshot of this origin must have. */
  readonly expected: "dynamic" | "pre-provisioned";
  readonly actual: "dynamic" | "pre-provisioned";
}

/** What is wrong between a snapshot and the content that it is to be bound to; nothing when they fit. */
export function bindingProblem({ snapshot, ref, expected, actual }: BindingFacts): "mismatch" | "misbound" | undefined {
  if (expected !== actual) return "mismatch";
  return refersTo(ref, snapshot, expected === "pre-provisioned") ? undefined : "misbound";
}

/** Whether the content points back. One that somebody wrote by hand does not know the uid until it is bound. */
export function refersTo(ref: ObjectReference, metadata: ObjectMeta, mayLackUid = false): boolean {
  if (ref.name !== metadata.name || ref.namespace !== metadata.namespace) return false;
  return ref.uid === metadata.uid || (mayLackUid && (ref.uid ?? "") === "");
}
