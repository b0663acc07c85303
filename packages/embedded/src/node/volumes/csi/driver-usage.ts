import { join } from "node:path";
import { askedUsage } from "../stats/driver-usage.ts";
import type { VolumeUsage } from "../stats/volume-usage.ts";
import { type CsiDeps, nodeCalls } from "./driver-access.ts";

export interface MeasuredVolume {
  readonly driver: string;
  readonly volumeHandle: string;
  readonly specName: string;
  readonly isBlock: boolean;
}

/** What the driver says of a volume's fill; undefined when it does not tell. */
export async function driverUsage(
  deps: CsiDeps,
  volume: MeasuredVolume,
  podUid: string,
  signal: AbortSignal,
): Promise<VolumeUsage | undefined> {
  const { driver, volumeHandle: volumeId, specName } = volume;
  const node = nodeCalls(deps, driver, "failed to get CSI client");
  const volumePath = volume.isBlock
    ? join(deps.paths.deviceMaps(specName), podUid)
    : deps.paths.published(podUid, specName).path;
  return askedUsage(node, { volumeId, volumePath }, deps.clock.nowMs(), signal);
}
