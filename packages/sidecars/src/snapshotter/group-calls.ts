import {
  groupSnapshotAnnotations,
  snapshotParameters,
  type VolumeGroupSnapshotClass,
  type VolumeGroupSnapshotContent,
} from "@stowage/machinery";
import { readSecret } from "../secrets/index.ts";
import { deletionSecretOf, driverParameters, groupGetSecret } from "../snapshots/index.ts";
import type { CallDeps } from "./call-deps.ts";
import { classNamed } from "./class-lookup.ts";
import type { DriverCall, ToldStatus } from "./content-kind.ts";
import { groupStatus, memberInfos } from "./driver-answer.ts";
import { emptyAnswer } from "./snapshot-calls.ts";
import { storageName } from "./storage-name.ts";

type Content = VolumeGroupSnapshotContent;
type Deps = CallDeps<VolumeGroupSnapshotClass>;
type StatusCall = DriverCall<ToldStatus<Content>>;

export async function prepareGroupCreate(deps: Deps, content: Content): Promise<StatusCall> {
  const { client, csi, clock, options } = deps;
  const { metadata, spec } = content;
  const { parameters } = classOf(deps, content);
  const naming = { prefix: options.groupSnapshotNamePrefix, uuidLength: options.groupSnapshotNameUuidLength };
  const request = {
    name: storageName(naming, spec.volumeGroupSnapshotRef.uid, metadata.name ?? ""),
    sourceVolumeIds: [...(spec.source.volumeHandles ?? [])],
    parameters: { ...driverParameters(parameters), ...(options.extraCreateMetadata && createMetadata(content)) },
    secrets: await readSecret(client, deletionSecretOf(content, groupSnapshotAnnotations)),
  };
  return async (signal) => {
    const { timeoutMs } = options;
    const { groupSnapshot } = await csi.groupController.createVolumeGroupSnapshot(request, { timeoutMs, signal });
    if (groupSnapshot === undefined) throw emptyAnswer("CreateVolumeGroupSnapshot");
    return { ...groupStatus(groupSnapshot, clock.nowMs()), volumeSnapshotInfoList: memberInfos(groupSnapshot) };
  };
}

export async function prepareGroupQuery(deps: Deps, content: Content): Promise<StatusCall> {
  const { client, csi, clock, options } = deps;
  const { metadata, spec } = content;
  const isClassed = spec.volumeGroupSnapshotClassName !== undefined;
  const ref = isClassed ? groupGetSecret(classOf(deps, content).parameters, metadata.name ?? "") : undefined;
  const request = { ...idsOf(content), secrets: await readSecret(client, ref) };
  return async (signal) => {
    const { timeoutMs } = options;
    const { groupSnapshot } = await csi.groupController.getVolumeGroupSnapshot(request, { timeoutMs, signal });
    if (groupSnapshot === undefined) throw emptyAnswer("GetVolumeGroupSnapshot");
    return { ...groupStatus(groupSnapshot, clock.nowMs()), volumeGroupSnapshotHandle: request.groupSnapshotId };
  };
}

export async function prepareGroupDelete(
  { client, csi, options: { timeoutMs } }: Deps,
  content: Content,
): Promise<DriverCall<unknown>> {
  const secrets = await readSecret(client, deletionSecretOf(content, groupSnapshotAnnotations));
  const request = { ...idsOf(content), secrets };
  return (signal) => csi.groupController.deleteVolumeGroupSnapshot(request, { timeoutMs, signal });
}

function createMetadata({ metadata, spec }: Content): Record<string, string> {
  return {
    [snapshotParameters.groupSnapshotName]: spec.volumeGroupSnapshotRef.name ?? "",
    [snapshotParameters.groupSnapshotNamespace]: spec.volumeGroupSnapshotRef.namespace ?? "",
    [snapshotParameters.groupContentName]: metadata.name ?? "",
  };
}

/** The group and its members, as the driver told of them, or as somebody wrote them down. */
function idsOf({ spec, status }: Content): { groupSnapshotId: string; snapshotIds: string[] } {
  const written = spec.source.groupSnapshotHandles;
  const told = (status?.volumeSnapshotInfoList ?? []).map(({ snapshotHandle = "" }) => snapshotHandle);
  return {
    groupSnapshotId: status?.volumeGroupSnapshotHandle ?? written?.volumeGroupSnapshotHandle ?? "",
    snapshotIds: told.length > 0 ? told : [...(written?.volumeSnapshotHandles ?? [])],
  };
}

function classOf({ classes }: Deps, { metadata, spec }: Content): VolumeGroupSnapshotClass {
  return classNamed(classes, spec.volumeGroupSnapshotClassName, metadata.name);
}
