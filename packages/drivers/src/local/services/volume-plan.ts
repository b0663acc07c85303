import type { CreateVolumeRequest } from "@stowage/csi";
import type { LocalDeps } from "../local-deps.ts";
import { commonUse } from "../requests/capability.ts";
import { refusal } from "../requests/refusal.ts";
import { chooseSize, type SizeRange } from "../requests/size.ts";
import { snapshotContentPath, volumeContentPath } from "../state/layout.ts";
import type { ContentSource, VolumeRecord } from "../state/records.ts";
import { checkAttributes } from "../storage/io-limits.ts";
import { minimumBytesOf } from "./capacity.ts";
import { idFor, requireSnapshot, requireVolume } from "./lookup.ts";
import { checkTopology } from "./topology.ts";

/** What a volume is to be, with nothing made yet. */
export interface VolumePlan {
  readonly record: VolumeRecord;
  readonly sourcePath?: string;
}

const defaultFsType = "ext4";
const fsTypeParameter = "fsType";
/** Kubernetes' own, such as the claim's name: not the driver's to understand. */
const reservedPrefix = "csi.storage.k8s.io/";

export function planVolume(deps: LocalDeps, request: CreateVolumeRequest): VolumePlan {
  const use = commonUse(request.volumeCapabilities);
  checkParameters(request.parameters);
  checkMutable(deps, request.mutableParameters);
  checkTopology(deps, request.accessibilityRequirements);
  const source = sourceOf(request);
  const origin = source && originOf(deps, source);
  const isImageMount = use.access === "mount" && deps.contents.kind === "image";
  const asked = use.fsType || request.parameters[fsTypeParameter];
  if (isImageMount) refuseConversion(origin, asked);
  const fsType = isImageMount ? asked || origin?.fsType || defaultFsType : "";
  return {
    record: {
      id: idFor(deps, "vol", request.name),
      name: request.name,
      capacityBytes: sizeFor(request.capacityRange, { fsType, originBytes: origin?.sizeBytes }),
      access: use.access,
      fsType,
      source,
      isEphemeral: false,
      labels: deps.options.extraLabels,
      attributes: request.mutableParameters,
      createdAtMs: deps.options.clock.nowMs(),
    },
    sourcePath: origin?.path,
  };
}

export function sourceOf({ volumeContentSource }: CreateVolumeRequest): ContentSource | undefined {
  const type = volumeContentSource?.type;
  if (type?.case === "snapshot") return { kind: "snapshot", id: type.value.snapshotId };
  return type?.case === "volume" ? { kind: "volume", id: type.value.volumeId } : undefined;
}

interface Origin {
  readonly sizeBytes: bigint;
  readonly fsType: string;
  readonly path: string;
}

function originOf(deps: LocalDeps, source: ContentSource): Origin {
  const { layout } = deps.state;
  if (source.kind === "volume") {
    const { capacityBytes, fsType, id } = requireVolume(deps, source.id);
    return { sizeBytes: capacityBytes, fsType, path: volumeContentPath(layout, id) };
  }
  const snapshot = requireSnapshot(deps, source.id);
  return { sizeBytes: snapshot.sizeBytes, fsType: snapshot.fsType, path: snapshotContentPath(layout, snapshot.id) };
}

/** A copy has its source's file system: made as another, it could never be mounted as what was asked for. */
function refuseConversion(origin: Origin | undefined, asked: string | undefined): void {
  if (!origin?.fsType || !asked || asked === origin.fsType) return;
  const complaint = `The source has ${origin.fsType}, and ${asked} was asked for.`;
  throw refusal("INVALID_ARGUMENT", complaint, `Use a StorageClass with ${origin.fsType}.`);
}

function sizeFor(
  range: SizeRange | undefined,
  { fsType, originBytes }: { fsType: string; originBytes?: bigint },
): bigint {
  if (originBytes === undefined) return chooseSize(range, minimumBytesOf(fsType));
  if (range && range.requiredBytes > 0n && range.requiredBytes < originBytes) {
    const complaint = `${range.requiredBytes} bytes were asked for, and the source has ${originBytes}.`;
    throw refusal("OUT_OF_RANGE", complaint, "Ask for at least the size of the source.");
  }
  return chooseSize(
    range && range.requiredBytes > 0n ? range : { requiredBytes: originBytes, limitBytes: range?.limitBytes ?? 0n },
    originBytes,
  );
}

function checkParameters(parameters: Readonly<Record<string, string>>): void {
  const unknown = Object.keys(parameters).find((key) => key !== fsTypeParameter && !key.startsWith(reservedPrefix));
  if (unknown === undefined) return;
  const nextStep = `Take it out of the StorageClass; ${fsTypeParameter} is the only parameter.`;
  throw refusal("INVALID_ARGUMENT", `The parameter ${unknown} is not known.`, nextStep);
}

function checkMutable({ contents }: LocalDeps, parameters: Readonly<Record<string, string>>): void {
  checkAttributes(parameters);
  const [name] = Object.keys(parameters);
  if (name === undefined || contents.kind === "image") return;
  const complaint = `The parameter ${name} has no effect on volumes that are directories.`;
  throw refusal("INVALID_ARGUMENT", complaint, "Run the driver as root, or use no VolumeAttributesClass.");
}
