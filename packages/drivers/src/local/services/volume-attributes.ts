import type { ControllerService } from "@stowage/csi";
import type { LocalDeps } from "../local-deps.ts";
import { checkAttributes } from "../storage/io-limits.ts";
import { nodeVolume, requireVolume } from "./lookup.ts";
import { operate } from "./operation.ts";

/** A VolumeAttributesClass: written down, and applied to where the volume is in use now. */
export function createAttributeCalls(deps: LocalDeps): Pick<ControllerService, "controllerModifyVolume"> {
  return {
    async controllerModifyVolume({ volumeId, mutableParameters }) {
      await operate(deps, [`volume ${volumeId}`], async () => {
        const record = requireVolume(deps, volumeId);
        checkAttributes(mutableParameters);
        const changed = { ...record, attributes: { ...record.attributes, ...mutableParameters } };
        // Applied first: what cannot be applied is refused, and then must not be written down either.
        await deps.mounts.applyAttributes(nodeVolume(deps, changed));
        await deps.state.volumes.put(changed);
      });
      return {};
    },
  };
}
