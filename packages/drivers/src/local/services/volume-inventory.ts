import type { ControllerService } from "@stowage/csi";
import type { LocalDeps } from "../local-deps.ts";
import { mismatch, useOf } from "../requests/capability.ts";
import { pageOf } from "../requests/page.ts";
import type { VolumeRecord } from "../state/records.ts";
import { requireVolume } from "./lookup.ts";
import { brokenCondition, conditionOf, volumeMessage } from "./messages.ts";

type InventoryCalls = Pick<ControllerService, "listVolumes" | "controllerGetVolume" | "validateVolumeCapabilities">;

export function createInventoryCalls(deps: LocalDeps): InventoryCalls {
  return {
    async listVolumes({ startingToken, maxEntries }) {
      const { entries, nextToken } = pageOf(listed(deps), { startingToken, maxEntries });
      return { entries: await Promise.all(entries.map((entry) => entryMessage(deps, entry))), nextToken };
    },
    async controllerGetVolume({ volumeId }) {
      const record = requireVolume(deps, volumeId);
      return { volume: volumeMessage(deps, record), status: await statusOf(deps, record) };
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

/** A volume, or what is left of one whose state file was damaged. */
type Listed = { readonly id: string } & ({ readonly record: VolumeRecord } | { readonly keptFile: string });

function listed({ state }: LocalDeps): Listed[] {
  const whole = state.volumes.list().map((record) => ({ id: record.id, record }));
  const broken = [...state.volumes.broken()].map(([id, keptFile]) => ({ id, keptFile }));
  return [...whole, ...broken].sort((a, b) => (a.id < b.id ? -1 : 1));
}

async function entryMessage(deps: LocalDeps, entry: Listed) {
  if ("record" in entry)
    return { volume: volumeMessage(deps, entry.record), status: await statusOf(deps, entry.record) };
  const status = { publishedNodeIds: [], volumeCondition: brokenCondition(entry.keptFile) };
  return { volume: { volumeId: entry.id }, status };
}

async function statusOf(deps: LocalDeps, record: VolumeRecord) {
  const publishedNodeIds = record.attachment ? [record.attachment.nodeId] : [];
  return { publishedNodeIds, volumeCondition: await conditionOf(deps, record) };
}
