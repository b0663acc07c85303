import type { NodePublishVolumeRequest, NodeService } from "@stowage/csi";
import type { LocalDeps } from "../local-deps.ts";
import { isReaderOnly, isSingleWriter, mismatch, type Use, useOf } from "../requests/capability.ts";
import { refusal } from "../requests/refusal.ts";
import { checkedPath } from "../requests/target-path.ts";
import type { NodeVolume } from "../storage/node-mounts.ts";
import { ensureEphemeralVolume, isEphemeralRequest } from "./ephemeral-volumes.ts";
import { knownContentPath, nodeVolume, requireVolume } from "./lookup.ts";
import { operate } from "./operation.ts";
import { deleteVolume } from "./volume-deletion.ts";

export function createPublishCalls(deps: LocalDeps): Pick<NodeService, "nodePublishVolume" | "nodeUnpublishVolume"> {
  const allowedDirs = deps.options.kubeletDirs;
  return {
    async nodePublishVolume(request) {
      const { volumeId } = request;
      await operate(deps, [`volume ${volumeId}`], async () => {
        const path = request.targetPath;
        const targetPath = await checkedPath({ volumeId, role: "target path", path, allowedDirs });
        if (isEphemeralRequest(request)) await publishEphemeral(deps, request, targetPath);
        else await publishStaged(deps, request, targetPath);
      });
      return {};
    },
    async nodeUnpublishVolume({ volumeId, targetPath: path }) {
      await operate(deps, [`volume ${volumeId}`], async () => {
        const targetPath = await checkedPath({ volumeId, role: "target path", path, allowedDirs });
        await deps.mounts.unpublish(knownContentPath(deps, volumeId), targetPath);
        if (deps.state.volumes.get(volumeId)?.isEphemeral) await deleteVolume(deps, volumeId);
      });
      return {};
    },
  };
}

async function publishEphemeral(deps: LocalDeps, request: NodePublishVolumeRequest, targetPath: string): Promise<void> {
  const use = useOf(request.volumeCapability);
  const volume = nodeVolume(deps, await ensureEphemeralVolume(deps, request, use));
  refuseMismatch(volume, use);
  const isReadOnly = request.readonly || isReaderOnly(use);
  await deps.mounts.publish(volume, { targetPath, isReadOnly, mountFlags: use.mountFlags });
}

async function publishStaged(deps: LocalDeps, request: NodePublishVolumeRequest, targetPath: string): Promise<void> {
  const { volumeId } = request;
  const volume = nodeVolume(deps, requireVolume(deps, volumeId));
  const use = useOf(request.volumeCapability);
  refuseMismatch(volume, use);
  if (request.stagingTargetPath === "") {
    const nextStep = "Call NodeStageVolume first, and send the staging path along.";
    throw refusal("FAILED_PRECONDITION", `Volume ${volumeId} is published without a staging path.`, nextStep);
  }
  const path = request.stagingTargetPath;
  const role = "staging target path";
  const stagingPath = await checkedPath({ volumeId, role, path, allowedDirs: deps.options.kubeletDirs });
  if (isSingleWriter(use)) await refuseSecondTarget(deps, volume, [stagingPath, targetPath]);
  const isReadOnly = request.readonly || isReaderOnly(use);
  await deps.mounts.publish(volume, { targetPath, stagingPath, isReadOnly, mountFlags: use.mountFlags });
}

export function refuseMismatch({ record }: NodeVolume, use: Use): void {
  const complaint = mismatch(record, use);
  if (complaint) throw refusal("INVALID_ARGUMENT", complaint, "Use the volume as it was made, or make another.");
}

async function refuseSecondTarget({ mounts }: LocalDeps, volume: NodeVolume, own: readonly string[]): Promise<void> {
  const other = (await mounts.uses(volume.contentPath)).find((path) => !own.includes(path));
  if (other === undefined) return;
  const complaint = `Volume ${volume.record.id} may have one writer, and is published at ${other}.`;
  throw refusal("FAILED_PRECONDITION", complaint, "Stop the Pod that has it, or use ReadWriteOnce.");
}
