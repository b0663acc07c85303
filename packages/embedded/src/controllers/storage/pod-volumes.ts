import type { ContainerStatus, PersistentVolumeClaim, Pod, Volume } from "@stowage/machinery";
import { isControlledBy } from "../kit/index.ts";

/** The index of Pods by the keys of the claims that they use, or that are made for them. */
export const podsByClaim = {
  name: "storage/podsByClaim",
  valuesOf: ({ metadata, spec }: Pod): readonly string[] =>
    (spec?.volumes ?? []).flatMap((volume) => {
      const name = claimNameOf(metadata.name ?? "", volume);
      return name === undefined ? [] : [`${metadata.namespace}/${name}`];
    }),
} as const;

/** The claim behind a volume of a Pod, when there is one. */
export function claimNameOf(podName: string, volume: Volume): string | undefined {
  if (volume.persistentVolumeClaim !== undefined) return volume.persistentVolumeClaim.claimName;
  return volume.ephemeral === undefined ? undefined : ephemeralClaimName(podName, volume);
}

export function ephemeralClaimName(podName: string, { name }: Pick<Volume, "name">): string {
  return `${podName}-${name}`;
}

/** Whether the claim was made for this Pod, and does not merely have the name that such a claim would have. */
export function isMadeForPod(claim: PersistentVolumeClaim, pod: Pod): boolean {
  return claim.metadata.namespace === pod.metadata.namespace && isControlledBy(claim, pod);
}

/** Nothing of it runs any more, nor will. */
export function isTerminated({ metadata, status = {} }: Pod): boolean {
  if (status.phase === "Failed" || status.phase === "Succeeded") return true;
  if (metadata.deletionTimestamp === undefined) return false;
  const { initContainerStatuses = [], containerStatuses = [], ephemeralContainerStatuses = [] } = status;
  return ![...initContainerStatuses, ...containerStatuses, ...ephemeralContainerStatuses].some(isRunning);
}

function isRunning({ state }: ContainerStatus): boolean {
  return state?.terminated === undefined && state?.waiting === undefined;
}
