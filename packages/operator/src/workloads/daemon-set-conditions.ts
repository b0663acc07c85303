import type { DaemonSet } from "@stowage/machinery";
import type { StatedCondition } from "../operator-client/index.ts";

/** The generation at which every node last had its Pod, the newest one. Renaming it makes each DaemonSet look as if it rolled out. */
export const stableGenerationAnnotation = "storage.openshift.io/stable-generation";

/**
 * What a rollout waits for; undefined when it is over. Once a generation was stable, Pods that are missing are those of nodes that
 * are new, gone or restarting, which is no rollout.
 */
export function daemonSetProgress({ metadata, status }: DaemonSet): string | undefined {
  if (isStable({ metadata })) return undefined;
  if (metadata.generation !== (status?.observedGeneration ?? 0)) return "Waiting for DaemonSet to act on changes";
  const desired = status?.desiredNumberScheduled ?? 0;
  if ((status?.updatedNumberScheduled ?? 0) < desired) return `Waiting for DaemonSet to update ${desired} node pods`;
  return (status?.numberUnavailable ?? 0) > 0 ? "Waiting for DaemonSet to deploy node pods" : undefined;
}

export function daemonSetConditions(name: string, daemonSet: DaemonSet): StatedCondition[] {
  const progress = daemonSetProgress(daemonSet);
  const available = `${name}Available`;
  const progressing = `${name}Progressing`;
  return [
    (daemonSet.status?.numberAvailable ?? 0) > 0
      ? { type: available, status: "True", reason: "AsExpected", message: "DaemonSet is available" }
      : {
          type: available,
          status: "False",
          reason: "Deploying",
          message: "Waiting for the DaemonSet to deploy the CSI Node Service",
        },
    progress === undefined
      ? { type: progressing, status: "False", reason: "AsExpected", message: "DaemonSet is not progressing" }
      : { type: progressing, status: "True", reason: "Deploying", message: progress },
  ];
}

/** The wanted DaemonSet; with a note of the generation that has just become stable, if one has. */
export function withStableGeneration(required: DaemonSet, existing: DaemonSet | undefined): DaemonSet {
  if (existing === undefined || isStable(existing) || daemonSetProgress(existing) !== undefined) return required;
  return withAnnotation(required, stableGenerationAnnotation, String(existing.metadata.generation));
}

/** The wanted DaemonSet, told to forget: a new object counts its generations from the start. */
export function withoutStableGeneration(required: DaemonSet): DaemonSet {
  return withAnnotation(required, `${stableGenerationAnnotation}-`, "");
}

function isStable({ metadata }: Pick<DaemonSet, "metadata">): boolean {
  return metadata.annotations?.[stableGenerationAnnotation] === String(metadata.generation);
}

function withAnnotation(daemonSet: DaemonSet, key: string, value: string): DaemonSet {
  const { metadata } = daemonSet;
  return { ...daemonSet, metadata: { ...metadata, annotations: { ...metadata.annotations, [key]: value } } };
}
