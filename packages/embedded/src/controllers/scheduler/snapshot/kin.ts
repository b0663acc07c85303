import {
  type KubernetesObject,
  type LabelSelector,
  labelMatcherFrom,
  labelMatcherFromLabels,
  type Pod,
  type Service,
} from "@stowage/machinery";
import { controllerOf } from "../../kit/index.ts";

/** Whether a Pod is of the same kind as another. */
export type IsKin = (pod: Pod) => boolean;

export interface KinSources {
  /** Of the namespace. */
  services(namespace: string): readonly Service[];
  /** The selector of a ReplicaSet, a StatefulSet or a ReplicationController. */
  selectorOf(kind: string, key: string): LabelSelector | undefined;
}

/**
 * The Pods that serve the same Services and have the same controller: those that a Pod is spread from when it does not say itself.
 * Undefined when it has neither.
 */
export function kinOf(pod: Pod, sources: KinSources): IsKin | undefined {
  const { namespace = "", labels = {} } = pod.metadata;
  const served = sources
    .services(namespace)
    .flatMap(({ spec }) => (spec?.selector === undefined ? [] : [spec.selector]))
    .filter((selector) => Object.keys(selector).length > 0 && labelMatcherFromLabels(selector).matches(labels));
  const owner = controllerOf(pod);
  const owned = owner && sources.selectorOf(owner.kind, `${namespace}/${owner.name}`);
  if (served.length === 0 && owned === undefined) return undefined;
  const byServices = labelMatcherFromLabels(Object.assign({}, ...served) as Record<string, string>);
  const byOwner = labelMatcherFrom(owned ?? {});
  return ({ metadata }: KubernetesObject) => byServices.matches(metadata.labels) && byOwner.matches(metadata.labels);
}
