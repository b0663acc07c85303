import { statfs } from "node:fs/promises";
import type { ControllerService } from "@stowage/csi";
import type { LocalDeps } from "../local-deps.ts";
import { refusal } from "../requests/refusal.ts";
import { maximumBytes } from "../requests/size.ts";
import { fileSystemOf } from "../storage/file-systems.ts";
import { topologyKey } from "./messages.ts";

/** What is really free on the state directory's file system, less the reservation. Volumes are sparse: they take what is written. */
export async function availableBytes({ state, options }: LocalDeps): Promise<bigint> {
  const { bavail, bsize } = await statfs(state.layout.root, { bigint: true });
  const free = bavail * bsize - options.reserveBytes;
  return free > 0n ? free : 0n;
}

export async function requireSpace(deps: LocalDeps, subject: string, bytes: bigint): Promise<void> {
  const available = await availableBytes(deps);
  if (bytes <= available) return;
  throw refusal(
    "RESOURCE_EXHAUSTED",
    `${subject} needs ${bytes} bytes, and node ${deps.options.nodeId} has ${available}.`,
    "Ask for less, free space there, or use another node.",
  );
}

export const minimumBytesOf = (fsType: string) => fileSystemOf(fsType)?.minimumBytes ?? 4096n;

export function createCapacityCalls(deps: LocalDeps): Pick<ControllerService, "getCapacity"> {
  return {
    async getCapacity({ accessibleTopology, volumeCapabilities }) {
      const node = accessibleTopology?.segments[topologyKey(deps.options.driverName)];
      if (node !== undefined && node !== deps.options.nodeId) return { availableCapacity: 0n };
      const available = await availableBytes(deps);
      const types = volumeCapabilities.map(({ accessType }) =>
        accessType.case === "mount" ? accessType.value.fsType : "",
      );
      return {
        availableCapacity: available,
        maximumVolumeSize: available < maximumBytes ? available : maximumBytes,
        minimumVolumeSize: types.map(minimumBytesOf).reduce((most, bytes) => (bytes > most ? bytes : most), 4096n),
      };
    },
  };
}
