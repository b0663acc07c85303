import type { ControllerService } from "@stowage/csi";
import type { LocalDeps } from "../local-deps.ts";
import { refusal } from "../requests/refusal.ts";
import { intentId } from "../state/intents.ts";
import { volumeContentPath } from "../state/layout.ts";
import { operate, withIntent } from "./operation.ts";
import { finishDeletion } from "./recovery.ts";

export function createDeletionCalls(deps: LocalDeps): Pick<ControllerService, "deleteVolume"> {
  return {
    async deleteVolume({ volumeId }) {
      await operate(deps, [`volume ${volumeId}`], () => deleteVolume(deps, volumeId));
      return {};
    },
  };
}

/** A volume that is not there is deleted already. */
export async function deleteVolume(deps: LocalDeps, volumeId: string): Promise<void> {
  const { state, mounts } = deps;
  const kept = state.volumes.broken().get(volumeId);
  const path = volumeContentPath(state.layout, volumeId);
  if (kept !== undefined) {
    throw refusal(
      "FAILED_PRECONDITION",
      `Volume ${volumeId} is broken (its damaged state file is ${kept}), so it is not deleted unasked.`,
      `Remove ${kept} and ${path} by hand, and restart the driver, if the data is not needed.`,
    );
  }
  if (!state.volumes.get(volumeId)) return;
  const [use] = await mounts.uses(path);
  if (use !== undefined) {
    const nextStep = "Stop the Pods that use it; kubelet then unmounts it.";
    throw refusal("FAILED_PRECONDITION", `Volume ${volumeId} is in use at ${use}.`, nextStep);
  }
  const intent = { id: intentId("delete-volume", volumeId), operation: "delete-volume", volumeId } as const;
  await withIntent(deps, intent, () => finishDeletion(deps, volumeId));
}
