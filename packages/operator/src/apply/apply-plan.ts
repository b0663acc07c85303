import type { KubernetesObject, ObjectMeta } from "@stowage/machinery";
import type { CompareOptions } from "./kind-rule.ts";
import { ruleFor } from "./kind-rules.ts";
import type { LooseObject } from "./loose-object.ts";
import { isSameMetadata, type KeptKeys, mergeMetadata, withoutRemovals } from "./object-metadata.ts";

export interface PlanOptions extends CompareOptions {
  /** Further labels and annotations that are set once, beside those that the kind has. */
  readonly kept?: KeptKeys;
}

/** What has to be sent so that an object becomes what it should be. */
export type ApplyPlan =
  | { readonly action: "none" }
  | { readonly action: "update"; readonly object: LooseObject; readonly details?: string }
  | { readonly action: "recreate"; readonly object: LooseObject };

/** What is sent where there is no object yet. */
export function desiredNewObject(required: KubernetesObject): LooseObject {
  const prepared = prepare(required);
  return { ...prepared, metadata: withoutRemovals(prepared.metadata) };
}

export function planApply(
  existing: KubernetesObject,
  required: KubernetesObject,
  options: PlanOptions = {},
): ApplyPlan {
  const there = existing as LooseObject;
  const wanted = prepare(required);
  const rule = ruleFor(wanted);
  const metadata = mergeMetadata(there.metadata, wanted.metadata, {
    labels: [...(rule.kept?.labels ?? []), ...(options.kept?.labels ?? [])],
    annotations: [...(rule.kept?.annotations ?? []), ...(options.kept?.annotations ?? [])],
  });
  const change = rule.compare(there, wanted, options);
  if (change !== undefined && "recreate" in change) {
    return { action: "recreate", object: { ...wanted, ...change.recreate, metadata: asNew(metadata) } };
  }
  if (change === undefined && isSameMetadata(there.metadata, metadata)) return { action: "none" };
  // What a local copy has of managedFields is an empty list, which must not be sent.
  const { managedFields: _managedFields, ...kept } = metadata;
  return { action: "update", object: { ...there, ...change?.fields, metadata: kept }, details: change?.details };
}

function prepare(required: KubernetesObject): LooseObject {
  const object = required as LooseObject;
  return ruleFor(object).prepare?.(object) ?? object;
}

/** Foreign labels and annotations survive; what the server gave to the old object does not. */
function asNew({ name, namespace, labels, annotations, ownerReferences }: ObjectMeta): ObjectMeta {
  return { name, namespace, labels, annotations, ownerReferences };
}
