import { isConflict, objectKey } from "@stowage/kube";
import { snapshotReasons as reasons, type VolumeSnapshot, type VolumeSnapshotContent } from "@stowage/machinery";
import type { SyncOutcome } from "@stowage/operator";
import { failureText, memberContentName, owningGroupName } from "../snapshots/index.ts";
import { bindingProblem, refersTo } from "./binding.ts";
import { releaseClaim } from "./claim-protection.ts";
import { bindContent } from "./content-binding.ts";
import { contentNameOf } from "./desired-content.ts";
import { reportFailure } from "./failure-report.ts";
import { beginSnapshot } from "./snapshot-begin.ts";
import { deleteSnapshot } from "./snapshot-deletion.ts";
import { SnapshotFailure } from "./snapshot-failure.ts";
import { requireClass, snapshotInput } from "./snapshot-input.ts";
import { mirrorContent } from "./snapshot-mirror.ts";
import { endOperations, startCreation } from "./snapshot-operations.ts";
import { joinGroup, protectSnapshot } from "./snapshot-protection.ts";
import type { World } from "./world.ts";

/** Brings one VolumeSnapshot a step further. What its owner has to know of a failure is told in one place, here. */
export async function syncSnapshot(world: World, key: string): Promise<SyncOutcome> {
  const snapshot = world.snapshots.getByKey(key);
  if (snapshot === undefined) return endOperations(world, key);
  try {
    if (snapshot.metadata.deletionTimestamp !== undefined) return await deleteSnapshot(world, snapshot);
    return await keepSnapshot(world, snapshot);
  } catch (error) {
    if (error instanceof SnapshotFailure) {
      await releaseClaim(world, snapshot);
      await reportFailure(world, world.snapshots, snapshot, error);
    }
    throw error;
  }
}

async function keepSnapshot(world: World, snapshot: VolumeSnapshot): Promise<SyncOutcome> {
  const { persistentVolumeClaimName: claimName, volumeSnapshotContentName: contentName } = snapshot.spec.source;
  if ((claimName === undefined) === (contentName === undefined)) throw invalidSource();
  const { readyToUse, boundVolumeSnapshotContentName } = snapshot.status ?? {};
  if (readyToUse === true && boundVolumeSnapshotContentName !== undefined) {
    return await checkReady(world, snapshot, boundVolumeSnapshotContentName);
  }
  startCreation(world, snapshot);
  if (contentName !== undefined) return await bindExisting(world, snapshot, contentName);
  if (owningGroupName(snapshot) !== undefined) return await followGroup(world, snapshot);
  return await takeSnapshot(world, snapshot);
}

async function checkReady(world: World, snapshot: VolumeSnapshot, contentName: string): Promise<SyncOutcome> {
  await releaseClaim(world, snapshot);
  const content = world.contents.get({ name: contentName });
  if (content === undefined) throw contentMissing(contentName);
  if (!refersTo(content.spec.volumeSnapshotRef, snapshot.metadata)) throw misbound(contentName, reasons.misbound);
  await joinGroup(world, await protectSnapshot(world, snapshot, content.spec.deletionPolicy));
  return undefined;
}

/** Of a snapshot that is in the storage already. */
async function bindExisting(world: World, snapshot: VolumeSnapshot, contentName: string): Promise<SyncOutcome> {
  const { volumeSnapshotClassName: className } = snapshot.spec;
  if (className !== undefined) requireClass(world, className);
  const content = world.contents.get({ name: contentName });
  if (content === undefined) throw contentMissing(contentName);
  checkBinding(snapshot, content, "pre-provisioned");
  const bound = await bindContent(world, content, snapshot).catch((error: unknown) => {
    throw isConflict(error) ? error : notBound(contentName, error);
  });
  return await mirrorContent(world, await protectSnapshot(world, snapshot, content.spec.deletionPolicy), bound);
}

/** The driver took it with its group; the content comes with the group too, and its coming is told. */
async function followGroup(world: World, snapshot: VolumeSnapshot): Promise<SyncOutcome> {
  const { name = "" } = snapshot.metadata;
  const contentName = snapshot.status?.boundVolumeSnapshotContentName ?? memberContentName(name);
  const content = world.contents.get({ name: contentName });
  if (content === undefined) return undefined;
  if (!refersTo(content.spec.volumeSnapshotRef, snapshot.metadata))
    throw misbound(contentName, reasons.contentMisbound);
  return await mirrorContent(world, await protectSnapshot(world, snapshot, content.spec.deletionPolicy), content);
}

async function takeSnapshot(world: World, snapshot: VolumeSnapshot): Promise<SyncOutcome> {
  const content = world.contents.get({ name: contentNameOf(snapshot) });
  if (content !== undefined) {
    checkBinding(snapshot, content, "dynamic");
    return await mirrorContent(world, await protectSnapshot(world, snapshot, content.spec.deletionPolicy), content);
  }
  // Another one would be of other data, under the old name.
  if (snapshot.status?.creationTime !== undefined) throw contentMissing(contentNameOf(snapshot));
  const input = snapshotInput(world, snapshot);
  const { deletionPolicy, metadata } = input.class;
  return await beginSnapshot(world, await protectSnapshot(world, snapshot, deletionPolicy, metadata.name), input);
}

function checkBinding(
  snapshot: VolumeSnapshot,
  { metadata, spec }: VolumeSnapshotContent,
  expected: "dynamic" | "pre-provisioned",
): void {
  const actual = spec.source.snapshotHandle === undefined ? "dynamic" : "pre-provisioned";
  const problem = bindingProblem({ snapshot: snapshot.metadata, ref: spec.volumeSnapshotRef, expected, actual });
  if (problem === "misbound") throw misbound(metadata.name ?? "", reasons.contentMisbound);
  if (problem === undefined) return;
  const kinds = { dynamic: "dynamically provisioned", "pre-provisioned": "pre-provisioned" };
  throw new SnapshotFailure(
    `VolumeSnapshotContent ${metadata.name} is ${kinds[actual]} while expecting a ${kinds[expected]} one`,
    { reason: reasons.contentMismatch, nextStep: "Delete this snapshot and make one that names a fitting content." },
  );
}

function misbound(contentName: string, reason: string): SnapshotFailure {
  return new SnapshotFailure(`VolumeSnapshotContent [${contentName}] is bound to a different snapshot`, {
    reason,
    nextStep: "Delete this snapshot; if the content was to be its own, correct the content's spec.volumeSnapshotRef.",
  });
}

function contentMissing(contentName: string): SnapshotFailure {
  return new SnapshotFailure(`VolumeSnapshotContent ${contentName} is missing`, {
    reason: reasons.contentMissing,
    nextStep: "Make the content again with the snapshot's id in the storage, or delete this snapshot.",
  });
}

function notBound(contentName: string, cause: unknown): SnapshotFailure {
  return new SnapshotFailure(`Snapshot failed to bind VolumeSnapshotContent ${contentName}: ${failureText(cause)}`, {
    reason: reasons.bindFailed,
    nextStep: "It is tried again; check what the API server objects to.",
    cause,
  });
}

function invalidSource(): SnapshotFailure {
  return new SnapshotFailure("exactly one of persistentVolumeClaimName and volumeSnapshotContentName must be set", {
    reason: reasons.invalid,
    nextStep: "Delete this snapshot and make it anew with one source.",
  });
}

/** For those who are told of a content: whose it is. */
export function snapshotKeyOf({ spec }: VolumeSnapshotContent): string[] {
  const { name, namespace } = spec.volumeSnapshotRef;
  return name === undefined || namespace === undefined ? [] : [objectKey({ metadata: { name, namespace } })];
}
