import { type NodeService, VolumeUsage_Unit as Unit } from "@stowage/csi";
import type { LocalDeps } from "../local-deps.ts";
import { refusal } from "../requests/refusal.ts";
import { checkedPath } from "../requests/target-path.ts";
import type { VolumeUsage } from "../storage/node-mounts.ts";
import { ailmentsOf } from "./ailments.ts";
import { nodeVolume, requireVolume } from "./lookup.ts";
import { conditionOf, topologyOf } from "./messages.ts";
import { operate } from "./operation.ts";

type InfoCalls = Pick<NodeService, "nodeGetInfo" | "nodeGetVolumeStats" | "nodeExpandVolume">;

export function createNodeInfoCalls(deps: LocalDeps): InfoCalls {
  const { options, mounts } = deps;
  return {
    async nodeGetInfo() {
      const maxVolumesPerNode = BigInt(options.maxVolumesPerNode);
      return { nodeId: options.nodeId, maxVolumesPerNode, accessibleTopology: topologyOf(deps) };
    },
    async nodeGetVolumeStats({ volumeId, volumePath }) {
      return operate(deps, [`volume ${volumeId}`], async () => {
        const volume = await volumeAt(deps, volumeId, volumePath);
        const usage = await mounts.usage(volume, volumePath);
        if (options.gate13) return { usage: usageMessages(usage) };
        const ailments = await ailmentsOf(deps, [{ id: volumeId, record: volume.record }]);
        return { usage: usageMessages(usage), volumeCondition: conditionOf(deps, ailments.get(volumeId) ?? []) };
      });
    },
    async nodeExpandVolume({ volumeId, volumePath }) {
      return operate(deps, [`volume ${volumeId}`], async () => {
        // The image has the size that the controller gave it: the file system is brought up to that.
        return { capacityBytes: await mounts.grow(await volumeAt(deps, volumeId, volumePath)) };
      });
    },
  };
}

/** The volume, if it is at that path. */
async function volumeAt(deps: LocalDeps, volumeId: string, path: string) {
  const volume = nodeVolume(deps, requireVolume(deps, volumeId));
  const allowedDirs = deps.options.kubeletDirs;
  const resolved = await checkedPath({ volumeId, role: "volume path", path, allowedDirs }).catch(() => path);
  const uses = await deps.mounts.uses(volume.contentPath);
  if (uses.includes(resolved)) return volume;
  const where = uses.length === 0 ? "It is not mounted anywhere." : `It is at ${uses.join(", ")}.`;
  throw refusal("NOT_FOUND", `Volume ${volumeId} is not at ${path}.`, where);
}

function usageMessages({ totalBytes, files }: VolumeUsage) {
  if (!files) return [{ unit: Unit.BYTES, total: totalBytes }];
  return [
    { unit: Unit.BYTES, total: totalBytes, used: files.usedBytes, available: files.availableBytes },
    { unit: Unit.INODES, total: files.totalInodes, used: files.usedInodes, available: files.availableInodes },
  ];
}
