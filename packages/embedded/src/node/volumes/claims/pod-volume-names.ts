import type { Pod } from "@stowage/machinery";

export interface UsedVolumes {
  readonly mounted: ReadonlySet<string>;
  /** As block devices. */
  readonly devices: ReadonlySet<string>;
}

/** The volumes that any container of the Pod uses: no others are brought to it. */
export function usedVolumes({ spec }: Pod): UsedVolumes {
  const { initContainers = [], containers = [], ephemeralContainers = [] } = spec ?? {};
  const all = [...initContainers, ...containers, ...ephemeralContainers];
  return {
    mounted: new Set(all.flatMap(({ volumeMounts = [] }) => volumeMounts.map(({ name }) => name))),
    devices: new Set(all.flatMap(({ volumeDevices = [] }) => volumeDevices.map(({ name }) => name))),
  };
}
