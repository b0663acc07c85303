import { randomBytes } from "node:crypto";
import type { ControllerService, CreateVolumeRequest } from "@stowage/csi";
import type { LocalDeps } from "../local-deps.ts";
import { refusal } from "../requests/refusal.ts";
import { isWithin } from "../requests/size.ts";
import { moveDurably, namedAs } from "../state/durable-file.ts";
import { intentId } from "../state/intents.ts";
import { partialSuffix, volumeContentPath } from "../state/layout.ts";
import type { VolumeRecord } from "../state/records.ts";
import { requireSpace } from "./capacity.ts";
import { idFor, refuseBroken, volumeNamed } from "./lookup.ts";
import { volumeMessage } from "./messages.ts";
import { operate, withIntent } from "./operation.ts";
import { planVolume, sourceOf, type VolumePlan } from "./volume-plan.ts";

export function createCreationCalls(deps: LocalDeps): Pick<ControllerService, "createVolume"> {
  return {
    async createVolume(request) {
      const id = idFor(deps, "vol", request.name);
      const source = sourceOf(request);
      const subjects = [`volume ${id}`, ...(source ? [`${source.kind} ${source.id}`] : [])];
      const record = await operate(deps, subjects, () => ensureVolume(deps, request), request.name);
      return { volume: volumeMessage(deps, record) };
    },
  };
}

async function ensureVolume(deps: LocalDeps, request: CreateVolumeRequest): Promise<VolumeRecord> {
  refuseBroken(deps, idFor(deps, "vol", request.name));
  const existing = volumeNamed(deps, request.name);
  if (!existing) return makeVolume(deps, planVolume(deps, request));
  const difference = differenceFrom(existing, request);
  if (difference === undefined) return existing;
  throw refusal(
    "ALREADY_EXISTS",
    `Volume ${existing.id} has the name ${request.name} and another ${difference}.`,
    "Use another name, or ask for the volume as it is.",
  );
}

function differenceFrom(existing: VolumeRecord, request: CreateVolumeRequest): string | undefined {
  if (!isWithin(existing.capacityBytes, request.capacityRange)) return "size";
  const source = sourceOf(request);
  if (source?.kind !== existing.source?.kind || source?.id !== existing.source?.id) return "source";
  const isOtherAccess = request.volumeCapabilities.some(({ accessType }) => accessType.case !== existing.access);
  return isOtherAccess ? "access type" : undefined;
}

/** Makes the content aside, moves it into place, and writes the record last: with the record, the volume is whole. */
export async function makeVolume(deps: LocalDeps, { record, sourcePath }: VolumePlan): Promise<VolumeRecord> {
  const { state, contents, options } = deps;
  const subject = `Volume ${record.id}`;
  await requireSpace(deps, subject, record.capacityBytes);
  await contents.check(record);
  const path = volumeContentPath(state.layout, record.id);
  // A name of its own for each try: what a killed try still writes cannot reach this one's.
  const partialPath = `${path}.${randomBytes(6).toString("hex")}${partialSuffix}`;
  const sourceVolumeId = record.source?.kind === "volume" ? record.source.id : undefined;
  const id = intentId("create-volume", record.id);
  const intent = { id, operation: "create-volume", volumeId: record.id, partialPath, sourceVolumeId } as const;
  return withIntent(deps, intent, async () => {
    let fsType = record.fsType;
    try {
      if (sourcePath === undefined) await contents.make(partialPath, record);
      else fsType = await copyContent(deps, { record, sourcePath, partialPath });
    } catch (error) {
      throw namedAs(path, partialPath, error);
    }
    await moveDurably(partialPath, path, options.faultPoint);
    const made = { ...record, fsType };
    await state.volumes.put(made);
    return made;
  });
}

interface CopyRequest {
  readonly record: VolumeRecord;
  readonly sourcePath: string;
  readonly partialPath: string;
}

async function copyContent(
  { contents, mounts }: LocalDeps,
  { record, sourcePath, partialPath }: CopyRequest,
): Promise<string> {
  // Snapshots do not change; a volume is held still while it is copied.
  const release = record.source?.kind === "volume" ? await mounts.quiesce(sourcePath) : async () => {};
  try {
    await contents.capture(sourcePath, partialPath);
  } finally {
    await release();
  }
  return contents.adopt(partialPath, record);
}
