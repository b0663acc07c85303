import { CsiError, type NodeService, type NodeStageVolumeRequest } from "@stowage/csi";
import { attachmentOf, isSameAttachment } from "../backend/capability.ts";
import type { NodeDeps } from "./node-deps.ts";
import { capacityOf, checkVolume } from "./volume-use.ts";

/** The staging folder is the caller's; nothing in it is touched. */
export function stageCalls(deps: NodeDeps): Pick<NodeService, "nodeStageVolume" | "nodeUnstageVolume"> {
  const { node } = deps;
  return {
    async nodeStageVolume(request) {
      stage(deps, request);
      return {};
    },
    async nodeUnstageVolume({ volumeId, stagingTargetPath }) {
      const staged = node.get("staged", volumeId, stagingTargetPath);
      if (staged !== undefined) node.remove(staged);
      return {};
    },
  };
}

function stage(deps: NodeDeps, request: NodeStageVolumeRequest): void {
  const { volumeId, stagingTargetPath: path } = request;
  checkVolume(deps, request);
  const use = attachmentOf(request.volumeCapability, false);
  const existing = deps.node.get("staged", volumeId, path);
  if (existing !== undefined && !isSameAttachment(existing.use, use))
    throw new CsiError("ALREADY_EXISTS", `${volumeId} is staged at ${path} for another use`);
  if (existing !== undefined) return;
  deps.node.put({ kind: "staged", volumeId, path, use, capacityBytes: capacityOf(deps, volumeId) });
}
