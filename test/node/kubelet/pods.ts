import { imageReferences } from "@stowage/lab";
import type {
  CSIVolumeSource,
  PersistentVolumeClaimSpec,
  Pod,
  PodSpec,
  Volume,
  VolumeDevice,
  VolumeMount,
} from "@stowage/machinery";

/** A volume of a Pod, and how its container gets it. */
export interface PodVolume {
  readonly volume: Volume;
  readonly mount?: VolumeMount;
  readonly device?: VolumeDevice;
}

/** Runs until it is told to end, which it does at once. */
const COMMAND = ["sh", "-c", "trap 'exit 0' TERM; while :; do sleep 0.2; done"];

export function pod(name: string, volumes: readonly PodVolume[], spec: Partial<PodSpec> = {}): Pod {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace: "default" },
    spec: {
      terminationGracePeriodSeconds: 2,
      containers: [
        {
          name: "main",
          image: imageReferences.busybox,
          imagePullPolicy: "Never",
          command: COMMAND,
          volumeMounts: volumes.flatMap(({ mount }) => mount ?? []),
          volumeDevices: volumes.flatMap(({ device }) => device ?? []),
        },
      ],
      volumes: volumes.map(({ volume }) => volume),
      ...spec,
    },
  };
}

export function mounted(claim: string, changes: Partial<VolumeMount> = {}, readOnly = false): PodVolume {
  return {
    volume: { name: claim, persistentVolumeClaim: { claimName: claim, readOnly } },
    mount: { name: claim, mountPath: "/data", ...changes },
  };
}

export function device(claim: string): PodVolume {
  return {
    volume: { name: claim, persistentVolumeClaim: { claimName: claim } },
    device: { name: claim, devicePath: "/dev/raw" },
  };
}

/** A volume that the Pod describes itself. */
export function inline(source: CSIVolumeSource): PodVolume {
  return { volume: { name: "inline", csi: source }, mount: { name: "inline", mountPath: "/data" } };
}

/** A volume whose claim comes and goes with the Pod, and is called `POD-VOLUME`. */
export function ephemeral(like: PodVolume, spec: PersistentVolumeClaimSpec): PodVolume {
  return { ...like, volume: { name: like.volume.name, ephemeral: { volumeClaimTemplate: { spec } } } };
}
