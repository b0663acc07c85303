import { isNotFound, type KubeClient, type ObjectReader } from "@stowage/kube";
import {
  type PersistentVolume,
  type PersistentVolumeClaim,
  StowageError,
  volumeSnapshotContents,
  volumeSnapshots,
} from "@stowage/machinery";
import type { DriverProfile } from "../../driver/index.ts";
import { type ContentSourceInit, specOf } from "../requests/index.ts";
import { desiredCloneSource } from "./clone-source.ts";
import type { DataSource } from "./data-source.ts";
import { desiredSnapshotSource } from "./snapshot-source.ts";
import { protectClaim, protectSnapshot, type SourceProtectionDeps } from "./source-protection.ts";

export interface ContentSourceDeps extends SourceProtectionDeps {
  readonly client: KubeClient;
  readonly driver: DriverProfile;
  readonly claims: Pick<ObjectReader<PersistentVolumeClaim>, "get">;
  readonly volumes: Pick<ObjectReader<PersistentVolume>, "get">;
  readonly preventVolumeModeConversion: boolean;
  /** Of the claim, when each node makes its own volumes. */
  readonly nodeName?: string | undefined;
}

type CopiedSource = Exclude<DataSource, { kind: "populator" }>;

/** Checks the claim or snapshot that a claim is to be filled from, and keeps it from being deleted meanwhile. */
export async function prepareContentSource(
  deps: ContentSourceDeps,
  claim: PersistentVolumeClaim,
  source: CopiedSource,
): Promise<ContentSourceInit> {
  return source.kind === "claim" ? await prepareClone(deps, claim, source) : await prepareRestore(deps, claim, source);
}

async function prepareClone(
  deps: ContentSourceDeps,
  claim: PersistentVolumeClaim,
  ref: CopiedSource,
): Promise<ContentSourceInit> {
  requireCapability(deps, "CLONE_VOLUME", "clone claims");
  const source = deps.claims.get(ref);
  const volumeName = source === undefined ? undefined : specOf(source).volumeName;
  const sourceVolume = volumeName === undefined ? undefined : deps.volumes.get({ name: volumeName });
  const content = desiredCloneSource({ claim, source, sourceVolume, driverName: deps.driver.name });
  if (source !== undefined) await protectClaim(deps, source);
  return content;
}

async function prepareRestore(
  deps: ContentSourceDeps,
  claim: PersistentVolumeClaim,
  ref: CopiedSource,
): Promise<ContentSourceInit> {
  requireCapability(deps, "CREATE_DELETE_SNAPSHOT", "restore snapshots");
  const snapshot = await deps.client.get(volumeSnapshots, ref).catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
    throw new StowageError("DATA_SOURCE_UNUSABLE", `the snapshot ${ref.namespace}/${ref.name} does not exist`);
  });
  const contentName = snapshot.status?.boundVolumeSnapshotContentName;
  const content = contentName ? await deps.client.find(volumeSnapshotContents, { name: contentName }) : undefined;
  const { driver, preventVolumeModeConversion, nodeName } = deps;
  const source = desiredSnapshotSource({
    claim,
    snapshot,
    content,
    driverName: driver.name,
    preventVolumeModeConversion,
    nodeName,
  });
  await protectSnapshot(deps, snapshot);
  return source;
}

function requireCapability(
  { driver }: ContentSourceDeps,
  capability: "CLONE_VOLUME" | "CREATE_DELETE_SNAPSHOT",
  what: string,
): void {
  if (driver.controller.has(capability)) return;
  throw new StowageError("CLAIM_UNSUPPORTED", `the driver ${driver.name} cannot ${what}: it has no ${capability}`);
}
