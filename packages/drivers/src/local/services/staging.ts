import type { NodeService } from "@stowage/csi";
import type { LocalDeps } from "../local-deps.ts";
import { useOf } from "../requests/capability.ts";
import { checkedPath } from "../requests/target-path.ts";
import { knownContentPath, nodeVolume, requireVolume } from "./lookup.ts";
import { operate } from "./operation.ts";
import { refuseMismatch } from "./publishing.ts";

export function createStageCalls(deps: LocalDeps): Pick<NodeService, "nodeStageVolume" | "nodeUnstageVolume"> {
  const checked = (volumeId: string, path: string) =>
    checkedPath({ volumeId, role: "staging target path", path, allowedDirs: deps.options.kubeletDirs });
  return {
    async nodeStageVolume({ volumeId, stagingTargetPath, volumeCapability }) {
      await operate(deps, [`volume ${volumeId}`], async () => {
        const volume = nodeVolume(deps, requireVolume(deps, volumeId));
        const use = useOf(volumeCapability);
        refuseMismatch(volume, use);
        const path = await checked(volumeId, stagingTargetPath);
        await deps.mounts.stage(volume, { path, mountFlags: use.mountFlags });
      });
      return {};
    },
    async nodeUnstageVolume({ volumeId, stagingTargetPath }) {
      await operate(deps, [`volume ${volumeId}`], async () => {
        await deps.mounts.unstage(knownContentPath(deps, volumeId), await checked(volumeId, stagingTargetPath));
      });
      return {};
    },
  };
}
