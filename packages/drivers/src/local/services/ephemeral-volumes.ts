import type { NodePublishVolumeRequest } from "@stowage/csi";
import { Quantity } from "@stowage/machinery";
import type { LocalDeps } from "../local-deps.ts";
import type { Use } from "../requests/capability.ts";
import { refusal } from "../requests/refusal.ts";
import { chooseSize } from "../requests/size.ts";
import type { VolumeRecord } from "../state/records.ts";
import { minimumBytesOf } from "./capacity.ts";
import { refuseBroken } from "./lookup.ts";
import { makeVolume } from "./volume-creation.ts";

/** Set by kubelet on volumes that a Pod describes in its own spec. */
const ephemeralKey = "csi.storage.k8s.io/ephemeral";
const safeId = /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/;

export function isEphemeralRequest({ volumeContext }: NodePublishVolumeRequest): boolean {
  return volumeContext[ephemeralKey] === "true";
}

/** Makes the Pod's volume under the id that kubelet chose, unless an earlier try did. */
export async function ensureEphemeralVolume(
  deps: LocalDeps,
  request: NodePublishVolumeRequest,
  use: Use,
): Promise<VolumeRecord> {
  const { volumeId, volumeContext } = request;
  if (!safeId.test(volumeId)) {
    const nextStep = "Use letters, digits, dashes and underscores.";
    throw refusal("INVALID_ARGUMENT", `"${volumeId}" cannot be the id of an ephemeral volume.`, nextStep);
  }
  refuseBroken(deps, volumeId);
  const existing = deps.state.volumes.get(volumeId);
  if (existing) return existing;
  const fsType =
    deps.contents.kind === "image" && use.access === "mount" ? use.fsType || volumeContext.fsType || "ext4" : "";
  const requiredBytes = sizeOf(volumeId, volumeContext.size);
  const record: VolumeRecord = {
    id: volumeId,
    name: volumeId,
    capacityBytes: chooseSize({ requiredBytes, limitBytes: 0n }, minimumBytesOf(fsType)),
    access: use.access,
    fsType,
    isEphemeral: true,
    labels: deps.options.extraLabels,
    attributes: {},
    createdAtMs: deps.options.clock.nowMs(),
  };
  return makeVolume(deps, { record });
}

function sizeOf(volumeId: string, text: string | undefined): bigint {
  if (text === undefined) return 0n;
  try {
    const bytes = Quantity.parse(text).toBytes();
    if (bytes > 0n) return bytes;
  } catch {
    // Said below, with the volume's name.
  }
  throw refusal(
    "INVALID_ARGUMENT",
    `Volume ${volumeId}: the size "${text}" is not one.`,
    "Write a size such as 500Mi or 2Gi.",
  );
}
