import {
  StowageError,
  snapshotAnnotations,
  snapshotParameters,
  type VolumeSnapshotClass,
  type VolumeSnapshotContent,
} from "@stowage/machinery";
import { readSecret } from "../secrets/index.ts";
import { deletionSecretOf, driverParameters, listSecret } from "../snapshots/index.ts";
import type { CallDeps } from "./call-deps.ts";
import { classNamed } from "./class-lookup.ts";
import { snapshotFacts } from "./content-facts.ts";
import type { DriverCall, ToldStatus } from "./content-kind.ts";
import { assumedStatus, snapshotStatus } from "./driver-answer.ts";
import { storageName } from "./storage-name.ts";

type Content = VolumeSnapshotContent;
type Deps = CallDeps<VolumeSnapshotClass>;
type StatusCall = DriverCall<ToldStatus<Content>>;

export async function prepareCreate(deps: Deps, content: Content): Promise<StatusCall> {
  const { client, csi, clock, options } = deps;
  const { metadata, spec } = content;
  const { parameters } = classOf(deps, content);
  const naming = { prefix: options.snapshotNamePrefix, uuidLength: options.snapshotNameUuidLength };
  const request = {
    name: storageName(naming, spec.volumeSnapshotRef.uid, metadata.name ?? ""),
    sourceVolumeId: spec.source.volumeHandle,
    parameters: { ...driverParameters(parameters), ...(options.extraCreateMetadata && createMetadata(content)) },
    secrets: await readSecret(client, deletionSecretOf(content, snapshotAnnotations)),
  };
  return async (signal) => {
    const { snapshot } = await csi.controller.createSnapshot(request, { timeoutMs: options.timeoutMs, signal });
    if (snapshot === undefined) throw emptyAnswer("CreateSnapshot");
    return snapshotStatus(snapshot, clock.nowMs());
  };
}

/** Drivers that cannot list snapshots are not asked: the snapshot is taken for ready. */
export async function prepareQuery(deps: Deps, content: Content): Promise<StatusCall> {
  const { client, csi, driver, clock, options } = deps;
  const snapshotId = content.spec.source.snapshotHandle ?? content.status?.snapshotHandle ?? "";
  if (!driver.controller.has("LIST_SNAPSHOTS")) return async () => assumedStatus(snapshotId, clock.nowMs());
  const secrets = await readSecret(client, querySecretOf(deps, content));
  return async (signal) => {
    const request = { snapshotId, secrets };
    const { entries } = await csi.controller.listSnapshots(request, { timeoutMs: options.timeoutMs, signal });
    const snapshot = entries[0]?.snapshot;
    if (snapshot === undefined) throw notFound(snapshotId);
    return { ...snapshotStatus(snapshot, clock.nowMs()), snapshotHandle: snapshotId };
  };
}

export async function prepareDelete({ client, csi, options }: Deps, content: Content): Promise<DriverCall<unknown>> {
  const secrets = await readSecret(client, deletionSecretOf(content, snapshotAnnotations));
  const request = { snapshotId: content.status?.snapshotHandle ?? "", secrets };
  return (signal) => csi.controller.deleteSnapshot(request, { timeoutMs: options.timeoutMs, signal });
}

/** What `--extra-create-metadata` adds to the class's parameters. */
function createMetadata({ metadata, spec }: Content): Record<string, string> {
  return {
    [snapshotParameters.snapshotName]: spec.volumeSnapshotRef.name ?? "",
    [snapshotParameters.snapshotNamespace]: spec.volumeSnapshotRef.namespace ?? "",
    [snapshotParameters.contentName]: metadata.name ?? "",
  };
}

/** Members of groups have no class. A snapshot that existed already needs none; with one, that may name a secret. */
function querySecretOf(deps: Deps, content: Content) {
  if (snapshotFacts(content).isGroupMember) return deletionSecretOf(content, snapshotAnnotations);
  if (content.spec.volumeSnapshotClassName === undefined) return undefined;
  return listSecret(classOf(deps, content).parameters, content.metadata.name ?? "");
}

function classOf({ classes }: Deps, { metadata, spec }: Content): VolumeSnapshotClass {
  return classNamed(classes, spec.volumeSnapshotClassName, metadata.name);
}

function notFound(snapshotId: string): StowageError {
  return new StowageError("SNAPSHOT_NOT_FOUND", `the driver cannot find a snapshot with the id ${snapshotId}`);
}

export function emptyAnswer(method: string): StowageError {
  return new StowageError("CSI_CALL_FAILED", `the driver answered ${method} without a snapshot`, {
    nextStep: "Report it to the driver's makers.",
  });
}
