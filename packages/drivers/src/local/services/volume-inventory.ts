import type { ControllerService } from "@stowage/csi";
import type { LocalDeps } from "../local-deps.ts";
import { mismatch, useOf } from "../requests/capability.ts";
import { pageOf } from "../requests/page.ts";
import { type Ailments, ailmentsOf, type KnownVolume, knownVolumes } from "./ailments.ts";
import { requireVolume } from "./lookup.ts";
import { conditionOf, volumeMessage } from "./messages.ts";

type InventoryCalls = Pick<ControllerService, "listVolumes" | "controllerGetVolume" | "validateVolumeCapabilities">;

export function createInventoryCalls(deps: LocalDeps): InventoryCalls {
  return {
    async listVolumes({ startingToken, maxEntries }) {
      const { entries, nextToken } = pageOf(knownVolumes(deps), { startingToken, maxEntries });
      return { entries: await entryMessages(deps, entries), nextToken };
    },
    async controllerGetVolume({ volumeId }) {
      const [message] = await entryMessages(deps, [{ id: volumeId, record: requireVolume(deps, volumeId) }]);
      return message ?? {};
    },
    async validateVolumeCapabilities({ volumeId, volumeCapabilities, volumeContext, parameters }) {
      const record = requireVolume(deps, volumeId);
      const complaint = volumeCapabilities
        .map((one) => mismatch(record, useOf(one)))
        .find((text) => text !== undefined);
      return complaint ? { message: complaint } : { confirmed: { volumeCapabilities, volumeContext, parameters } };
    },
  };
}

async function entryMessages(deps: LocalDeps, volumes: readonly KnownVolume[]) {
  // CSI 1.13 has no conditions any more: nobody would read what was looked up.
  const ailments = deps.options.gate13 ? new Map() : await ailmentsOf(deps, volumes);
  return volumes.map((volume) => ({
    volume: "record" in volume ? volumeMessage(deps, volume.record) : { volumeId: volume.id },
    status: statusOf(deps, volume, ailments),
  }));
}

function statusOf(deps: LocalDeps, volume: KnownVolume, ailments: Ailments) {
  const attachment = "record" in volume ? volume.record.attachment : undefined;
  const publishedNodeIds = attachment ? [attachment.nodeId] : [];
  if (deps.options.gate13) return { publishedNodeIds };
  return { publishedNodeIds, volumeCondition: conditionOf(deps, ailments.get(volume.id) ?? []) };
}
