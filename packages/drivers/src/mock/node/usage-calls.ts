import { CsiError, type NodeService, VolumeUsage_Unit as Unit } from "@stowage/csi";
import { chooseSize } from "../backend/capacity.ts";
import { missing, requireVolume } from "../backend/lookup.ts";
import { healthMessage } from "../controller/volume-health.ts";
import { conditionMessage } from "../controller/volume-message.ts";
import type { NodeDeps } from "./node-deps.ts";
import type { Mount } from "./node-state.ts";
import { knowsVolumes } from "./volume-use.ts";

type UsageCalls = Pick<NodeService, "nodeGetVolumeStats" | "nodeGetVolumeHealth" | "nodeGetStorageHealth">;

const BYTES_PER_INODE = 16_384n;

export function usageCalls(deps: NodeDeps): UsageCalls {
  const { backend, settings, node } = deps;
  const ailmentOf = (volumeId: string) => backend.volumes.get(volumeId)?.ailment;
  return {
    async nodeGetVolumeStats({ volumeId, volumePath }) {
      const mount = requireMount(deps, volumeId, volumePath);
      return { usage: usageOf(mount), volumeCondition: conditionMessage(ailmentOf(volumeId), settings) };
    },
    async nodeGetVolumeHealth({ volumeId }) {
      if (node.of(volumeId).length === 0) missing("volume on this node", volumeId);
      return { volumeHealth: healthMessage(volumeId, ailmentOf(volumeId)) };
    },
    async nodeGetStorageHealth() {
      return { backendHealth: [] };
    },
  };
}

export function expandCall(deps: NodeDeps): Pick<NodeService, "nodeExpandVolume"> {
  const { backend, settings, node } = deps;
  return {
    async nodeExpandVolume({ volumeId, volumePath, capacityRange }) {
      const mount = requireMount(deps, volumeId, volumePath);
      const known = knowsVolumes(deps) ? requireVolume(backend, volumeId).capacityBytes : settings.maxVolumeBytes;
      const wished =
        capacityRange === undefined ? known : chooseSize(capacityRange, { minimumBytes: 0n, maximumBytes: known });
      const capacityBytes = wished > mount.capacityBytes ? wished : mount.capacityBytes;
      for (const each of node.of(volumeId)) node.put({ ...each, capacityBytes });
      return { capacityBytes };
    },
  };
}

/** @throws CsiError NOT_FOUND when the volume is not at that path, staged or published */
function requireMount({ node }: NodeDeps, volumeId: string, path: string): Mount {
  const mount = node.get("published", volumeId, path) ?? node.get("staged", volumeId, path);
  if (mount === undefined) throw new CsiError("NOT_FOUND", `the volume ${volumeId} is not at ${path}`);
  return mount;
}

function usageOf({ capacityBytes, use }: Mount) {
  if (use.accessType === "block") return [{ unit: Unit.BYTES, total: capacityBytes }];
  const inodes = capacityBytes / BYTES_PER_INODE;
  return [
    { unit: Unit.BYTES, total: capacityBytes, used: 0n, available: capacityBytes },
    { unit: Unit.INODES, total: inodes, used: 0n, available: inodes },
  ];
}
