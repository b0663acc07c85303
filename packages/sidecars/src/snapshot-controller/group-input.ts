import {
  groupSnapshotAnnotations,
  hasErrorCode,
  labelMatcherFrom,
  type PersistentVolumeClaim,
  groupSnapshotReasons as reasons,
  type VolumeGroupSnapshot,
  type VolumeGroupSnapshotClass,
} from "@stowage/machinery";
import { failureText, groupSnapshotterSecret } from "../snapshots/index.ts";
import { defaultClass, isClass } from "./class-choice.ts";
import { type GroupContentParts, groupContentNameOf } from "./desired-group-content.ts";
import { nodeOfVolume } from "./node-affinity.ts";
import { SnapshotFailure } from "./snapshot-failure.ts";
import { isObstacle, type SourceVolume, sourceVolume } from "./source-volume.ts";
import type { GroupWorld, World } from "./world.ts";

type Fail = (problem: string, nextStep: string) => never;

/** What the content of a group is made of: all of it or a failure. */
export function groupInput(world: World, groups: GroupWorld, group: VolumeGroupSnapshot): GroupContentParts {
  const { volumeGroupSnapshotClassName: className } = group.spec;
  const named = className === undefined ? undefined : requireGroupClass(groups, className);
  const whatFailed =
    named === undefined
      ? { reason: reasons.noDefaultClass, prefix: "Failed to set default group snapshot class", keepsReadiness: true }
      : {
          reason: reasons.contentCreationFailed,
          prefix: "failed to create group snapshot content",
          keepsReadiness: false,
        };
  const fail: Fail = (problem, nextStep) => {
    const { prefix, ...parts } = whatFailed;
    throw new SnapshotFailure(`${prefix}: ${problem}`, { ...parts, nextStep });
  };
  const sources = claimsOf(world, group, fail).map((claim) => requireVolume(world, claim, fail));
  const { driver } = sources[0] as SourceVolume;
  const chosen = named ?? defaultClass(groups.classes.list(), driver, groupSnapshotAnnotations.isDefaultClass);
  if (!isClass(chosen)) return fail(chosen.problem, chosen.nextStep);
  checkDrivers(chosen, sources);
  return {
    group,
    class: chosen,
    volumeHandles: sources.map(({ handle }) => handle),
    secret: secretOf(chosen, group),
    nodeName: commonNode(world, sources),
  };
}

export function requireGroupClass({ classes }: GroupWorld, name: string): VolumeGroupSnapshotClass {
  const found = classes.get({ name });
  if (found !== undefined) return found;
  throw new SnapshotFailure(`Failed to get group snapshot class: the VolumeGroupSnapshotClass ${name} does not exist`, {
    reason: reasons.classMissing,
    nextStep: "Make the class, or delete the group snapshot and make it anew with another.",
    keepsReadiness: true,
  });
}

/** In the order of their names: the driver is told the same at every try. */
function claimsOf({ claims }: World, { metadata, spec }: VolumeGroupSnapshot, fail: Fail): PersistentVolumeClaim[] {
  const matcher = labelMatcherFrom(spec.source.selector);
  const found = claims.cached
    .list()
    .filter((claim) => claim.metadata.namespace === metadata.namespace && matcher.matches(claim.metadata.labels))
    .toSorted((a, b) => ((a.metadata.name ?? "") < (b.metadata.name ?? "") ? -1 : 1));
  if (found.length > 0) return found;
  return fail(
    `label selector ${matcher.toString()} for group snapshot not applied to any PVC`,
    "Label the claims that are meant; it is tried again.",
  );
}

function requireVolume({ volumes }: World, claim: PersistentVolumeClaim, fail: Fail): SourceVolume {
  const source = sourceVolume(claim, (name) => volumes.get({ name }));
  return isObstacle(source) ? fail(source.problem, source.nextStep) : source;
}

function checkDrivers(chosen: VolumeGroupSnapshotClass, sources: readonly SourceVolume[]): void {
  const foreign = sources.find(({ driver }) => driver !== chosen.driver);
  if (foreign === undefined) return;
  throw creationFailure(
    `the volume ${foreign.volume.metadata.name} is of the driver ${foreign.driver}, the class ${chosen.metadata.name} of ` +
      chosen.driver,
    "Delete the group snapshot and make it anew with labels that only claims of one driver have, and a class of that driver.",
  );
}

function secretOf(chosen: VolumeGroupSnapshotClass, group: VolumeGroupSnapshot) {
  try {
    return groupSnapshotterSecret(chosen.parameters, groupContentNameOf(group), group);
  } catch (error) {
    if (!hasErrorCode(error, "SECRET_PARAMETERS_INVALID")) throw error;
    throw creationFailure(failureText(error), "Until then it is tried again.", error);
  }
}

function creationFailure(problem: string, nextStep: string, cause?: unknown): SnapshotFailure {
  const message = `failed to create group snapshot content: ${problem}`;
  return new SnapshotFailure(message, { reason: reasons.contentCreationFailed, nextStep, cause });
}

/** A sidecar on a node can take snapshots only of what is there. */
function commonNode({ nodes }: World, sources: readonly SourceVolume[]): string | undefined {
  if (nodes === undefined) return undefined;
  const all = nodes.list();
  const names = new Set(sources.map(({ volume }) => nodeOfVolume(volume, all)));
  return names.size === 1 ? [...names][0] : undefined;
}
