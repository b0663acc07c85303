import { keyOf } from "@stowage/kube";
import {
  hasErrorCode,
  type PersistentVolumeClaim,
  snapshotReasons as reasons,
  snapshotAnnotations,
  type VolumeSnapshot,
  type VolumeSnapshotClass,
} from "@stowage/machinery";
import type { SecretRef } from "../secrets/index.ts";
import { failureText, snapshotterSecret } from "../snapshots/index.ts";
import { defaultClass, isClass } from "./class-choice.ts";
import { contentNameOf } from "./desired-content.ts";
import { nodeOfVolume } from "./node-affinity.ts";
import { SnapshotFailure } from "./snapshot-failure.ts";
import { isObstacle, type SourceVolume, sourceVolume } from "./source-volume.ts";
import type { World } from "./world.ts";

/** What a content is made of. */
export interface SnapshotInput {
  readonly claim: PersistentVolumeClaim;
  readonly class: VolumeSnapshotClass;
  readonly source: SourceVolume;
  readonly secret: SecretRef | undefined;
  readonly nodeName: string | undefined;
}

/** All of it or a failure, before anything is written: what cannot be begun leaves nothing behind. */
export function snapshotInput(world: World, snapshot: VolumeSnapshot): SnapshotInput {
  const { volumeSnapshotClassName: className } = snapshot.spec;
  const named = className === undefined ? undefined : requireClass(world, className);
  const whatFailed =
    named === undefined
      ? { reason: reasons.noDefaultClass, prefix: "Failed to set default snapshot class", keepsReadiness: true }
      : { reason: reasons.contentCreationFailed, prefix: "Failed to create snapshot content", keepsReadiness: false };
  const fail = (problem: string, nextStep: string): never => {
    const { prefix, ...parts } = whatFailed;
    throw new SnapshotFailure(`${prefix}: ${problem}`, { ...parts, nextStep });
  };
  const claimName = snapshot.spec.source.persistentVolumeClaimName ?? "";
  const claim = world.claims.get({ namespace: snapshot.metadata.namespace, name: claimName });
  if (claim === undefined) {
    return fail(
      `the PVC ${claimName} does not exist`,
      "It is tried again; delete the snapshot if it names a wrong claim.",
    );
  }
  const source = sourceVolume(claim, (name) => world.volumes.get({ name }));
  if (isObstacle(source)) return fail(source.problem, source.nextStep);
  const chosen = named ?? defaultClass(world.classes.list(), source.driver, snapshotAnnotations.isDefaultClass);
  if (!isClass(chosen)) return fail(chosen.problem, chosen.nextStep);
  checkFit(chosen, source, claim);
  return { claim, class: chosen, source, secret: secretOf(chosen, snapshot), nodeName: nodeNameOf(world, source) };
}

export function requireClass(world: World, name: string): VolumeSnapshotClass {
  const found = world.classes.get({ name });
  if (found !== undefined) return found;
  throw new SnapshotFailure(`Failed to get snapshot class: the VolumeSnapshotClass ${name} does not exist`, {
    reason: reasons.classMissing,
    nextStep: "Make the class, or delete the snapshot and make it anew with another.",
    keepsReadiness: true,
  });
}

function checkFit(chosen: VolumeSnapshotClass, { driver }: SourceVolume, claim: PersistentVolumeClaim): void {
  const claimKey = keyOf({ namespace: claim.metadata.namespace, name: claim.metadata.name ?? "" });
  if (chosen.driver !== driver) {
    throw creationFailure(
      `the class ${chosen.metadata.name} is of the driver ${chosen.driver}, the volume of the PVC ${claimKey} of ${driver}`,
      `Delete the snapshot and make it anew with a class of ${driver}.`,
    );
  }
  if (claim.metadata.deletionTimestamp !== undefined) {
    throw creationFailure(`the PVC ${claimKey} is being deleted`, "Delete the snapshot.");
  }
}

function secretOf(chosen: VolumeSnapshotClass, snapshot: VolumeSnapshot): SecretRef | undefined {
  try {
    return snapshotterSecret(chosen.parameters, contentNameOf(snapshot), snapshot);
  } catch (error) {
    if (!hasErrorCode(error, "SECRET_PARAMETERS_INVALID")) throw error;
    throw creationFailure(failureText(error), "Until then it is tried again.", error);
  }
}

function creationFailure(problem: string, nextStep: string, cause?: unknown): SnapshotFailure {
  const message = `Failed to create snapshot content: ${problem}`;
  return new SnapshotFailure(message, { reason: reasons.contentCreationFailed, nextStep, cause });
}

function nodeNameOf({ nodes, logger }: World, { volume }: SourceVolume): string | undefined {
  if (nodes === undefined) return undefined;
  const nodeName = nodeOfVolume(volume, nodes.list());
  if (nodeName === undefined && volume.spec?.nodeAffinity !== undefined) {
    logger.error({ pv: volume.metadata.name }, "no node fits the volume: no sidecar will take the snapshot");
  }
  return nodeName;
}
