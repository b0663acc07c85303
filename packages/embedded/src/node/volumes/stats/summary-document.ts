import { formatTime, type Pod, type Volume } from "@stowage/machinery";
import type { VolumeUsage } from "./volume-usage.ts";

/** The fields that kubelet's `/stats/summary` has of a file system; counts that fit a number of JavaScript. */
export interface FileSystemStats {
  readonly time: string;
  readonly availableBytes: number;
  readonly capacityBytes: number;
  readonly usedBytes: number;
  readonly inodesFree: number;
  readonly inodes: number;
  readonly inodesUsed: number;
}

export interface ClaimReference {
  readonly name: string;
  readonly namespace: string;
}

export interface VolumeStats extends FileSystemStats {
  readonly name: string;
  readonly pvcRef?: ClaimReference;
  readonly volumeHealthStats?: { readonly abnormal: boolean };
}

export interface PodStats {
  readonly podRef: { readonly name: string; readonly namespace: string; readonly uid: string };
  readonly startTime: string;
  readonly containers: readonly { readonly name: string; readonly startTime: string }[];
  readonly volume?: readonly VolumeStats[];
  readonly "ephemeral-storage"?: FileSystemStats;
}

/** What of a node is told to those who ask it for its use of storage. */
export interface StatsSummary {
  readonly node: {
    readonly nodeName: string;
    readonly startTime: string;
    readonly fs?: FileSystemStats;
    readonly runtime?: { readonly imageFs: FileSystemStats; readonly containerFs: FileSystemStats };
  };
  readonly pods: readonly PodStats[];
}

export function fileSystemStats(usage: VolumeUsage): FileSystemStats {
  return {
    time: formatTime(usage.timeMs),
    availableBytes: Number(usage.availableBytes),
    capacityBytes: Number(usage.capacityBytes),
    usedBytes: Number(usage.usedBytes),
    inodesFree: Number(usage.inodesFree),
    inodes: Number(usage.inodes),
    inodesUsed: Number(usage.inodesUsed),
  };
}

export function volumeStats(pod: Pod, volume: Volume, usage: VolumeUsage): VolumeStats {
  const pvcRef = claimReference(pod, volume);
  return {
    ...fileSystemStats(usage),
    name: volume.name,
    ...(pvcRef !== undefined && { pvcRef }),
    ...(usage.health !== undefined && { volumeHealthStats: { abnormal: usage.health.isAbnormal } }),
  };
}

/** `volumes`: what could be measured, by name. `disk`: what the node keeps Pods' folders on. */
export function podStats(pod: Pod, volumes: ReadonlyMap<string, VolumeUsage>, disk: VolumeUsage | undefined): PodStats {
  const { name = "", namespace = "", uid = "" } = pod.metadata;
  const measured = (pod.spec?.volumes ?? []).flatMap((volume) => {
    const usage = volumes.get(volume.name);
    return usage === undefined ? [] : [{ volume, stats: volumeStats(pod, volume, usage), usage }];
  });
  const own = measured.filter(({ volume }) => isOnNodesDisk(volume));
  const others = measured.filter(({ volume }) => !isOnNodesDisk(volume));
  const all = [...own, ...others].map(({ stats }) => stats);
  return {
    podRef: { name, namespace, uid },
    startTime: pod.status?.startTime ?? pod.metadata.creationTimestamp ?? formatTime(0),
    containers: runningContainers(pod),
    ...(all.length > 0 && { volume: all }),
    ...(disk !== undefined && {
      "ephemeral-storage": sumOf(
        disk,
        own.map(({ usage }) => usage),
      ),
    }),
  };
}

/** What counts as the Pod's use of the node's own disk. */
function isOnNodesDisk({ emptyDir, configMap }: Volume): boolean {
  return configMap !== undefined || (emptyDir !== undefined && (emptyDir.medium ?? "") === "");
}

function sumOf(disk: VolumeUsage, usages: readonly VolumeUsage[]): FileSystemStats {
  const sum = (field: "usedBytes" | "inodesUsed") => usages.reduce((total, usage) => total + usage[field], 0n);
  return fileSystemStats({ ...disk, usedBytes: sum("usedBytes"), inodesUsed: sum("inodesUsed") });
}

function runningContainers({ status }: Pod): PodStats["containers"] {
  return (status?.containerStatuses ?? []).flatMap(({ name, state }) => {
    const startTime = state?.running?.startedAt;
    return startTime === undefined ? [] : [{ name, startTime }];
  });
}

/** A generic ephemeral volume is a claim that is named after both. */
function claimReference({ metadata }: Pod, volume: Volume): ClaimReference | undefined {
  const { namespace = "" } = metadata;
  const { persistentVolumeClaim: claim, ephemeral } = volume;
  if (claim !== undefined) return { name: claim.claimName, namespace };
  return ephemeral === undefined ? undefined : { name: `${metadata.name}-${volume.name}`, namespace };
}
