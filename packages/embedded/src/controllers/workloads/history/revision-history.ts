import type { Informer, KubeClient } from "@stowage/kube";
import {
  type ControllerRevision,
  controllerRevisions,
  type KubernetesObject,
  type LabelSelector,
  labelMatcherFrom,
  type PodTemplateSpec,
  type ResourceType,
} from "@stowage/machinery";
import { canonicalText, claimable, claimObjects } from "../../kit/index.ts";

export interface TemplatePatch {
  readonly spec: { readonly template: PodTemplateSpec & { readonly $patch: "replace" } };
}

/** What leads back to the template by a strategic merge patch; `kubectl rollout undo` applies it as it is. */
export function templatePatch(template: PodTemplateSpec): TemplatePatch {
  return { spec: { template: { ...template, $patch: "replace" } } };
}

export function isOfTemplate({ data }: ControllerRevision, template: PodTemplateSpec): boolean {
  return canonicalText(data) === canonicalText(templatePatch(template));
}

export function latestRevisionOf(history: readonly ControllerRevision[]): number {
  return Math.max(0, ...history.map(({ revision }) => revision));
}

/** The oldest first. */
export function byRevision(a: ControllerRevision, b: ControllerRevision): number {
  const [aTime = "", bTime = ""] = [a.metadata.creationTimestamp, b.metadata.creationTimestamp];
  const byTime = aTime === bTime ? 0 : aTime < bTime ? -1 : 1;
  return a.revision - b.revision || byTime || ((a.metadata.name ?? "") < (b.metadata.name ?? "") ? -1 : 1);
}

interface Claiming {
  readonly client: KubeClient;
  readonly revisions: Informer<ControllerRevision>;
  readonly ownerType: ResourceType;
}

/** All that are the owner's. */
export async function claimedHistory(
  { client, revisions, ownerType }: Claiming,
  owner: KubernetesObject,
  selector: LabelSelector | undefined,
): Promise<ControllerRevision[]> {
  const matcher = labelMatcherFrom(selector);
  const isMatch = ({ metadata }: ControllerRevision) => matcher.matches(metadata.labels ?? {});
  const claim = { client, type: controllerRevisions, ownerType, owner, isMatch };
  return await claimObjects(claim, claimable(revisions, owner));
}
