import type { PersistentVolumeClaim, Pod, StatefulSet, Volume } from "@stowage/machinery";
import { podFromTemplate } from "../../kit/index.ts";

const REVISION_LABEL = "controller-revision-hash";
const NAME_LABEL = "statefulset.kubernetes.io/pod-name";
const INDEX_LABEL = "apps.kubernetes.io/pod-index";

/** Of the set's name and a number, as the Pod's name says; undefined when it is no such name. */
export function memberOf({ metadata }: Pod): { readonly parent: string; readonly ordinal: number } | undefined {
  const [, parent, number] = /^(.*)-(\d+)$/u.exec(metadata.name ?? "") ?? [];
  return parent === undefined || number === undefined ? undefined : { parent, ordinal: Number(number) };
}

export const ordinalOf = (pod: Pod): number => memberOf(pod)?.ordinal ?? -1;
export const revisionOf = ({ metadata }: Pod): string => metadata.labels?.[REVISION_LABEL] ?? "";
export const firstOrdinal = ({ spec }: StatefulSet): number => spec?.ordinals?.start ?? 0;
export const replicasOf = ({ spec }: StatefulSet): number => spec?.replicas ?? 0;

export function isInRange(pod: Pod, set: StatefulSet): boolean {
  const index = ordinalOf(pod) - firstOrdinal(set);
  return index >= 0 && index < replicasOf(set);
}

function claimName(set: StatefulSet, template: PersistentVolumeClaim, ordinal: number): string {
  return `${template.metadata.name}-${set.metadata.name}-${ordinal}`;
}

export function desiredClaims(set: StatefulSet, pod: Pod): PersistentVolumeClaim[] {
  return (set.spec?.volumeClaimTemplates ?? []).map((template) => ({
    ...template,
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: {
      ...template.metadata,
      name: claimName(set, template, ordinalOf(pod)),
      namespace: set.metadata.namespace,
      labels: { ...template.metadata.labels, ...set.spec?.selector.matchLabels },
    },
  }));
}

/** The Pod with the volumes of its claims in place of those of the same names. */
export function withStorage(set: StatefulSet, pod: Pod): Pod {
  const claimed: Volume[] = (set.spec?.volumeClaimTemplates ?? []).map((template) => ({
    name: template.metadata.name ?? "",
    persistentVolumeClaim: { claimName: claimName(set, template, ordinalOf(pod)) },
  }));
  const names = new Set(claimed.map(({ name }) => name));
  const others = (pod.spec?.volumes ?? []).filter(({ name }) => !names.has(name));
  return { ...pod, spec: { ...(pod.spec ?? { containers: [] }), volumes: [...claimed, ...others] } };
}

export function withIdentity(set: StatefulSet, pod: Pod): Pod {
  const ordinal = ordinalOf(pod);
  const name = `${set.metadata.name}-${ordinal}`;
  const labels = { ...pod.metadata.labels, [NAME_LABEL]: name, [INDEX_LABEL]: String(ordinal) };
  return { ...pod, metadata: { ...pod.metadata, name, namespace: set.metadata.namespace, labels } };
}

export function hasIdentity(set: StatefulSet, pod: Pod): boolean {
  const { name, labels } = pod.metadata;
  return memberOf(pod)?.parent === set.metadata.name && labels?.[NAME_LABEL] === name;
}

export function hasStorage(set: StatefulSet, { metadata, spec }: Pod): boolean {
  const ordinal = Number(/\d+$/u.exec(metadata.name ?? "")?.[0] ?? -1);
  return (set.spec?.volumeClaimTemplates ?? []).every((template) => {
    const volume = spec?.volumes?.find(({ name }) => name === template.metadata.name);
    return volume?.persistentVolumeClaim?.claimName === claimName(set, template, ordinal);
  });
}

/** As a template had it that the set has or had. */
export function desiredPod(set: StatefulSet, revision: string, ordinal: number): Pod {
  const made = podFromTemplate(set, set.spec?.template ?? {});
  const { generateName, ...metadata } = made.metadata;
  const name = `${generateName ?? ""}${ordinal}`;
  const named = { ...made, metadata: { ...metadata, generateName, name } };
  const pod = withStorage(set, withIdentity(set, named));
  return {
    ...pod,
    metadata: { ...pod.metadata, labels: { ...pod.metadata.labels, [REVISION_LABEL]: revision } },
    spec: { ...(pod.spec ?? { containers: [] }), hostname: name, subdomain: set.spec?.serviceName },
  };
}

/** Whether a Pod of this ordinal, were it made now, still has the old template. */
export function hasOldTemplate(set: StatefulSet, ordinal: number): boolean {
  const { type, rollingUpdate } = set.spec?.updateStrategy ?? {};
  const index = ordinal - firstOrdinal(set);
  if (rollingUpdate !== undefined) return index < (rollingUpdate.partition ?? 0);
  return type === "RollingUpdate" && index < (set.status?.currentReplicas ?? 0);
}
