import { isAlreadyExists, isConflict, keyOf, objectKey } from "@stowage/kube";
import {
  groupSnapshotReasons as reasons,
  snapshotFinalizers,
  type VolumeGroupSnapshot,
  type VolumeGroupSnapshotContent,
} from "@stowage/machinery";
import type { SyncOutcome } from "@stowage/operator";
import { failureText } from "../snapshots/index.ts";
import { bindingProblem, refersTo } from "./binding.ts";
import { desiredGroupContent, type GroupContentParts, groupContentNameOf } from "./desired-group-content.ts";
import { reportFailure } from "./failure-report.ts";
import { deleteGroup } from "./group-deletion.ts";
import { groupInput, requireGroupClass } from "./group-input.ts";
import { ensureMembers } from "./group-members.ts";
import { mirrorGroupContent } from "./group-mirror.ts";
import { endGroupOperations, startGroupCreation } from "./group-operations.ts";
import { SnapshotFailure } from "./snapshot-failure.ts";
import type { GroupWorld, World } from "./world.ts";

/** Brings one VolumeGroupSnapshot a step further; failures are told here. */
export async function syncGroup(world: World, groups: GroupWorld, key: string): Promise<SyncOutcome> {
  const group = groups.snapshots.getByKey(key);
  if (group === undefined) return endGroupOperations(world, groups, key);
  try {
    if (group.metadata.deletionTimestamp !== undefined) return await deleteGroup(world, groups, group);
    return await keepGroup(world, groups, group);
  } catch (error) {
    if (error instanceof SnapshotFailure) await reportFailure(world, groups.snapshots, group, error);
    throw error;
  }
}

async function keepGroup(world: World, groups: GroupWorld, group: VolumeGroupSnapshot): Promise<SyncOutcome> {
  const { selector, volumeGroupSnapshotContentName: contentName } = group.spec.source;
  if ((selector === undefined) === (contentName === undefined)) throw invalidSource();
  const { readyToUse, boundVolumeGroupSnapshotContentName: boundName } = group.status ?? {};
  if (readyToUse === true && boundName !== undefined) return await checkReady(groups, group, boundName);
  startGroupCreation(world, groups, group);
  if (contentName !== undefined) return await bindExisting(world, groups, { group, contentName });
  return await takeGroup(world, groups, group);
}

async function checkReady(groups: GroupWorld, group: VolumeGroupSnapshot, contentName: string): Promise<SyncOutcome> {
  const content = groups.contents.get({ name: contentName });
  if (content === undefined) throw contentMissing(contentName);
  if (!refersTo(content.spec.volumeGroupSnapshotRef, group.metadata)) throw misbound(contentName, reasons.misbound);
  await protectGroup(groups, group);
  return undefined;
}

async function bindExisting(
  world: World,
  groups: GroupWorld,
  { group, contentName }: { readonly group: VolumeGroupSnapshot; readonly contentName: string },
): Promise<SyncOutcome> {
  const { volumeGroupSnapshotClassName: className } = group.spec;
  if (className !== undefined) requireGroupClass(groups, className);
  const content = groups.contents.get({ name: contentName });
  if (content === undefined) throw contentMissing(contentName);
  checkBinding(group, content, "pre-provisioned");
  const change = missingGroupBinding(content, group);
  const bound = change === undefined ? content : await bindContent(groups, content, change);
  return await mirrorGroupContent(world, groups, { group: await protectGroup(groups, group), content: bound });
}

async function bindContent(
  { contents }: GroupWorld,
  content: VolumeGroupSnapshotContent,
  change: object,
): Promise<VolumeGroupSnapshotContent> {
  try {
    return await contents.edit(content, change);
  } catch (error) {
    if (isConflict(error)) throw error;
    const message = `GroupSnapshot failed to bind VolumeGroupSnapshotContent: ${failureText(error)}`;
    const nextStep = "It is tried again; check what the API server objects to.";
    throw new SnapshotFailure(message, { reason: reasons.bindFailed, nextStep, cause: error });
  }
}

async function takeGroup(world: World, groups: GroupWorld, group: VolumeGroupSnapshot): Promise<SyncOutcome> {
  const content = groups.contents.get({ name: groupContentNameOf(group) });
  if (content !== undefined) {
    checkBinding(group, content, "dynamic");
    const kept = await protectGroup(groups, group);
    if (content.status?.volumeGroupSnapshotHandle !== undefined && !(await ensureMembers(world, kept, content))) {
      return { retry: true };
    }
    return await mirrorGroupContent(world, groups, { group: kept, content });
  }
  if (group.status?.creationTime !== undefined) throw contentMissing(groupContentNameOf(group));
  const parts = groupInput(world, groups, group);
  const kept = await protectGroup(groups, group, parts.class.metadata.name);
  return await beginGroup(world, groups, { ...parts, group: kept });
}

async function beginGroup(world: World, groups: GroupWorld, parts: GroupContentParts): Promise<SyncOutcome> {
  try {
    await groups.contents.create(desiredGroupContent(parts));
  } catch (error) {
    if (isAlreadyExists(error)) return { retry: true };
    if (isConflict(error)) throw error;
    const nextStep = "It is tried again; check what the API server objects to.";
    const message = `failed to create group snapshot content: ${failureText(error)}`;
    throw new SnapshotFailure(message, { reason: reasons.contentCreationFailed, nextStep, cause: error });
  }
  const message = `Waiting for a group snapshot ${objectKey(parts.group)} to be created by the CSI driver.`;
  world.events.event(parts.group, "Normal", reasons.creating, message);
  return undefined;
}

/** Before its content is made, so that neither goes without the other. */
async function protectGroup(
  { snapshots }: GroupWorld,
  group: VolumeGroupSnapshot,
  className?: string,
): Promise<VolumeGroupSnapshot> {
  const { finalizers = [] } = group.metadata;
  const needsFinalizer = !finalizers.includes(snapshotFinalizers.groupBound);
  const needsClass = className !== undefined && group.spec.volumeGroupSnapshotClassName === undefined;
  if (!needsFinalizer && !needsClass) return group;
  return await snapshots.edit(group, {
    ...(needsFinalizer && { metadata: { finalizers: [...finalizers, snapshotFinalizers.groupBound] } }),
    ...(needsClass && { spec: { volumeGroupSnapshotClassName: className } }),
  });
}

/** What a hand-made content must get to be the group's; undefined when it has it. */
export function missingGroupBinding(
  { metadata, spec }: VolumeGroupSnapshotContent,
  group: VolumeGroupSnapshot,
): { metadata?: object; spec?: object } | undefined {
  const isBound = (spec.volumeGroupSnapshotRef.uid ?? "") !== "";
  const { volumeGroupSnapshotClassName: className } = group.spec;
  const needsClass = className !== undefined && spec.volumeGroupSnapshotClassName === undefined;
  if (isBound && !needsClass) return undefined;
  const { finalizers = [], deletionTimestamp } = metadata;
  const needsFinalizer = deletionTimestamp === undefined && !finalizers.includes(snapshotFinalizers.groupContent);
  return {
    ...(needsFinalizer && { metadata: { finalizers: [...finalizers, snapshotFinalizers.groupContent] } }),
    spec: {
      ...(!isBound && { volumeGroupSnapshotRef: { uid: group.metadata.uid } }),
      ...(needsClass && { volumeGroupSnapshotClassName: className }),
    },
  };
}

function checkBinding(
  group: VolumeGroupSnapshot,
  { metadata, spec }: VolumeGroupSnapshotContent,
  expected: "dynamic" | "pre-provisioned",
): void {
  const actual = spec.source.groupSnapshotHandles === undefined ? "dynamic" : "pre-provisioned";
  const problem = bindingProblem({ snapshot: group.metadata, ref: spec.volumeGroupSnapshotRef, expected, actual });
  if (problem === "misbound") throw misbound(metadata.name ?? "", reasons.contentMisbound);
  if (problem === undefined) return;
  const kinds = { dynamic: "dynamically provisioned", "pre-provisioned": "pre-provisioned" };
  throw new SnapshotFailure(
    `VolumeGroupSnapshotContent ${metadata.name} is ${kinds[actual]} while expecting a ${kinds[expected]} one`,
    {
      reason: reasons.contentMismatch,
      nextStep: "Delete this group snapshot and make one that names a fitting content.",
    },
  );
}

function misbound(contentName: string, reason: string): SnapshotFailure {
  return new SnapshotFailure(`VolumeGroupSnapshotContent [${contentName}] is bound to a different group snapshot`, {
    reason,
    nextStep: "Delete this group snapshot; its content cannot be given to another.",
  });
}

function contentMissing(contentName: string): SnapshotFailure {
  return new SnapshotFailure(`VolumeGroupSnapshotContent ${contentName} is missing`, {
    reason: reasons.contentMissing,
    nextStep: "Make the content again with the ids in the storage, or delete this group snapshot.",
  });
}

function invalidSource(): SnapshotFailure {
  return new SnapshotFailure("exactly one of selector and volumeGroupSnapshotContentName must be set", {
    reason: reasons.invalid,
    nextStep: "Delete this group snapshot and make it anew with one source.",
  });
}

/** For those who are told of a content: whose it is. */
export function groupKeyOf({ spec }: VolumeGroupSnapshotContent): string[] {
  const { name, namespace } = spec.volumeGroupSnapshotRef;
  return name === undefined || namespace === undefined ? [] : [keyOf({ name, namespace })];
}
