import type { NewObject } from "@stowage/kube";
import type { CSIDriver } from "@stowage/machinery";

export interface CsiDriverWish {
  readonly driverName: string;
  /** `--driver-requires-attachment`: whether volumes are attached to nodes before they are mounted. */
  readonly attachRequired: boolean;
  /** `--pod-info-mount-version` given: the driver is told about the Pod when it mounts. */
  readonly podInfoOnMount: boolean;
}

export function desiredCsiDriver({ driverName, attachRequired, podInfoOnMount }: CsiDriverWish): NewObject<CSIDriver> {
  return { metadata: { name: driverName }, spec: { attachRequired, podInfoOnMount } };
}

/** Whether Kubernetes lets the object be changed into what is wanted; else it has to be made anew. */
export function needsReplacement(found: CSIDriver, wanted: NewObject<CSIDriver>): boolean {
  return (found.spec.attachRequired ?? true) !== (wanted.spec.attachRequired ?? true);
}

export function isAsWanted(found: CSIDriver, wanted: NewObject<CSIDriver>): boolean {
  return (
    !needsReplacement(found, wanted) && (found.spec.podInfoOnMount ?? false) === (wanted.spec.podInfoOnMount ?? false)
  );
}
