import type { Ailment, ContentSource, MockVolume } from "../backend/volume.ts";
import type { MockSettings } from "../options.ts";

/** A volume as the protocol tells it. */
export function volumeMessage(volume: MockVolume) {
  return {
    volumeId: volume.id,
    capacityBytes: volume.capacityBytes,
    volumeContext: { ...volume.parameters },
    contentSource: volume.source === undefined ? undefined : sourceMessage(volume.source),
    accessibleTopology: volume.topology.map((segments) => ({ segments: { ...segments } })),
  };
}

export function statusMessage(volume: MockVolume, settings: MockSettings) {
  return {
    publishedNodeIds: Object.keys(volume.attachments),
    volumeCondition: conditionMessage(volume.ailment, settings),
  };
}

/** What 1.13 replaced by volume health. */
export function conditionMessage(ailment: Ailment | undefined, { gate13 }: MockSettings) {
  if (gate13) return undefined;
  if (ailment === undefined) return { abnormal: false, message: "the volume is healthy" };
  return { abnormal: true, message: `${ailment.reason}: ${ailment.message}` };
}

function sourceMessage({ kind, id }: ContentSource) {
  if (kind === "snapshot") return { type: { case: "snapshot", value: { snapshotId: id } } } as const;
  return { type: { case: "volume", value: { volumeId: id } } } as const;
}
