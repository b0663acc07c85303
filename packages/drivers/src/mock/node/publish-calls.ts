import { CsiError, type NodePublishVolumeRequest, type NodeService } from "@stowage/csi";
import { accessModeOf, allowsManyTargets, attachmentOf, isSameAttachment } from "../backend/capability.ts";
import type { Attachment } from "../backend/volume.ts";
import type { NodeDeps } from "./node-deps.ts";
import { makeTarget, removeOwnTarget, removeUnknownTarget } from "./target.ts";
import { capacityOf, checkVolume, isEphemeral } from "./volume-use.ts";

export function publishCalls(deps: NodeDeps): Pick<NodeService, "nodePublishVolume" | "nodeUnpublishVolume"> {
  const { node } = deps;
  return {
    async nodePublishVolume(request) {
      await publish(deps, request);
      return {};
    },
    async nodeUnpublishVolume({ volumeId, targetPath }) {
      const published = node.get("published", volumeId, targetPath);
      if (published === undefined) {
        await removeUnknownTarget(targetPath);
        return {};
      }
      await removeOwnTarget(targetPath);
      node.remove(published);
      return {};
    },
  };
}

async function publish(deps: NodeDeps, request: NodePublishVolumeRequest): Promise<void> {
  const { volumeId, targetPath: path } = request;
  checkVolume(deps, request);
  const use = attachmentOf(request.volumeCapability, request.readonly);
  checkOtherTargets(deps, request, use);
  checkStaged(deps, request);
  makeTarget(path, use.accessType);
  if (deps.node.get("published", volumeId, path) !== undefined) return;
  deps.node.put({ kind: "published", volumeId, path, use, capacityBytes: capacityOf(deps, volumeId) });
}

/** The specification's table for two calls with the same and with different targets. */
function checkOtherTargets({ node }: NodeDeps, request: NodePublishVolumeRequest, use: Attachment): void {
  const { volumeId, targetPath } = request;
  for (const { kind, path, use: existing } of node.of(volumeId)) {
    if (kind !== "published") continue;
    if (path === targetPath && !isSameAttachment(existing, use))
      throw new CsiError("ALREADY_EXISTS", `${volumeId} is published at ${path} in another way`);
    if (path !== targetPath && !allowsManyTargets(accessModeOf(request.volumeCapability)))
      throw new CsiError("FAILED_PRECONDITION", `${volumeId} is published at ${path} already, for one user alone`);
  }
}

function checkStaged({ node }: NodeDeps, request: NodePublishVolumeRequest): void {
  const { volumeId, stagingTargetPath } = request;
  if (isEphemeral(request) || node.get("staged", volumeId, stagingTargetPath) !== undefined) return;
  const place = stagingTargetPath === "" ? "no staging_target_path is given" : `not at ${stagingTargetPath}`;
  throw new CsiError("FAILED_PRECONDITION", `${volumeId} is not staged: ${place}`);
}
