import { createHash } from "node:crypto";
import {
  type PersistentVolume,
  type PersistentVolumeClaim,
  type Pod,
  uniqueCsiVolumeName,
  type Volume,
} from "@stowage/machinery";

export interface SecretRef {
  readonly namespace: string;
  readonly name: string;
}

/** A volume of a driver as a Pod uses it, wherever it is written down. */
export interface CsiVolume {
  /** What the Pod calls it. */
  readonly podVolume: string;
  /** What its folders are called: as the PersistentVolume, or as the Pod calls it when it is inline. */
  readonly specName: string;
  /** What the Node's status calls it. */
  readonly uniqueName: string;
  readonly driver: string;
  readonly volumeHandle: string;
  readonly isInline: boolean;
  readonly isBlock: boolean;
  readonly isReadOnly: boolean;
  readonly fsType: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly mountOptions: readonly string[];
  readonly accessModes: readonly string[] | undefined;
  readonly stageSecret: SecretRef | undefined;
  readonly publishSecret: SecretRef | undefined;
  readonly expandSecret: SecretRef | undefined;
  /** Unless it is inline. */
  readonly bound: BoundVolume | undefined;
}

export interface BoundVolume {
  readonly volume: PersistentVolume;
  readonly claim: PersistentVolumeClaim;
}

/** One that is written down in the Pod alone, and lives as long as it does. Undefined when it is of another kind. */
export function inlineVolume(pod: Pod, { name, csi }: Volume): CsiVolume | undefined {
  if (csi === undefined) return undefined;
  const { uid = "", namespace = "" } = pod.metadata;
  const secret = csi.nodePublishSecretRef?.name;
  return {
    podVolume: name,
    specName: name,
    uniqueName: `kubernetes.io/csi/${uid}-${name}`,
    driver: csi.driver,
    volumeHandle: `csi-${createHash("sha256").update(`${uid}${name}`).digest("hex")}`,
    isInline: true,
    isBlock: false,
    isReadOnly: csi.readOnly ?? false,
    fsType: csi.fsType ?? "",
    attributes: csi.volumeAttributes ?? {},
    mountOptions: [],
    accessModes: undefined,
    stageSecret: undefined,
    publishSecret: secret === undefined ? undefined : { namespace, name: secret },
    expandSecret: undefined,
    bound: undefined,
  };
}

/** One behind a claim. Undefined when its PersistentVolume is of another kind. */
export function boundVolume(podVolume: string, bound: BoundVolume, isReadOnly: boolean): CsiVolume | undefined {
  const { metadata, spec = {} } = bound.volume;
  const { csi } = spec;
  if (csi === undefined) return undefined;
  return {
    podVolume,
    specName: metadata.name ?? "",
    uniqueName: uniqueCsiVolumeName(csi.driver, csi.volumeHandle),
    driver: csi.driver,
    volumeHandle: csi.volumeHandle,
    isInline: false,
    isBlock: spec.volumeMode === "Block",
    isReadOnly,
    fsType: csi.fsType ?? "",
    attributes: csi.volumeAttributes ?? {},
    mountOptions: spec.mountOptions ?? [],
    accessModes: spec.accessModes,
    stageSecret: secretRef(csi.nodeStageSecretRef),
    publishSecret: secretRef(csi.nodePublishSecretRef),
    expandSecret: secretRef(csi.nodeExpandSecretRef),
    bound,
  };
}

function secretRef(ref: { namespace?: string; name?: string } | undefined): SecretRef | undefined {
  return ref === undefined ? undefined : { namespace: ref.namespace ?? "", name: ref.name ?? "" };
}
