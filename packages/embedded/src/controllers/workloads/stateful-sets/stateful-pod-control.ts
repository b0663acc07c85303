import {
  type EventRecorder,
  type Informer,
  isAlreadyExists,
  isNotFound,
  type KubeClient,
  objectKey,
} from "@stowage/kube";
import {
  type PersistentVolumeClaim,
  type Pod,
  persistentVolumeClaims,
  pods,
  type StatefulSet,
  StowageError,
} from "@stowage/machinery";
import { type Expectations, errorText } from "../../kit/index.ts";
import { areOwnersRight, desiredClaimOwners, hasForeignController, isStale } from "./claim-retention.ts";
import { desiredClaims, hasIdentity, hasStorage, withIdentity, withStorage } from "./stateful-pod.ts";

export interface StatefulControl {
  readonly client: KubeClient;
  readonly recorder: EventRecorder;
  readonly claims: Informer<PersistentVolumeClaim>;
  readonly expectations: Expectations;
}

type Verb = "Create" | "Update" | "Delete";

function tell({ recorder }: StatefulControl, set: StatefulSet, about: { verb: Verb; pod: Pod; error?: unknown }): void {
  const { verb, pod, error } = about;
  const what = `${verb} Pod ${pod.metadata.name} in StatefulSet ${set.metadata.name}`;
  if (error === undefined) recorder.event(set, "Normal", `Successful${verb}`, `${what} successful`);
  else recorder.event(set, "Warning", `Failed${verb}`, `${what} failed error: ${errorText(error)}`);
}

async function told<Result>(
  control: StatefulControl,
  set: StatefulSet,
  about: { verb: Verb; pod: Pod },
  act: () => Promise<Result>,
): Promise<Result> {
  try {
    const result = await act();
    tell(control, set, about);
    return result;
  } catch (error) {
    // The copies are behind; nothing has failed.
    if (!isAlreadyExists(error)) tell(control, set, { ...about, error });
    throw error;
  }
}

export async function createStatefulPod(control: StatefulControl, set: StatefulSet, pod: Pod): Promise<void> {
  const key = objectKey(set);
  await told(control, set, { verb: "Create", pod }, async () => {
    await createClaims(control, set, pod);
    control.expectations.expectMore(key, { creations: 1 });
    const created = await control.client.create(pods, pod).catch((error: unknown) => {
      control.expectations.creationSeen(key);
      throw error;
    });
    await syncClaimOwners(control, set, created);
  });
}

export async function deleteStatefulPod(control: StatefulControl, set: StatefulSet, pod: Pod): Promise<void> {
  const key = objectKey(set);
  const { name = "", namespace, uid = "" } = pod.metadata;
  await told(control, set, { verb: "Delete", pod }, async () => {
    control.expectations.expectMore(key, { deletions: [uid] });
    await control.client.delete(pods, { name, namespace }).catch((error: unknown) => {
      control.expectations.deletionSeen(key, uid);
      if (!isNotFound(error)) throw error;
    });
  });
}

/** Gives it back what makes it a member. */
export async function repairStatefulPod(control: StatefulControl, set: StatefulSet, pod: Pod): Promise<void> {
  const isRight = hasIdentity(set, pod) && hasStorage(set, pod);
  if (isRight && areClaimsRight(control, set, pod)) return;
  await told(control, set, { verb: "Update", pod }, async () => {
    const named = hasIdentity(set, pod) ? pod : withIdentity(set, pod);
    if (!hasStorage(set, pod)) await createClaims(control, set, pod);
    await syncClaimOwners(control, set, pod);
    await control.client.update(pods, hasStorage(set, pod) ? named : withStorage(set, named));
  });
}

export async function createClaims(
  { client, claims, recorder }: StatefulControl,
  set: StatefulSet,
  pod: Pod,
): Promise<void> {
  for (const claim of desiredClaims(set, pod)) {
    const known = claims.objects.getByKey(objectKey(claim));
    const { name } = claim.metadata;
    if (known?.metadata.deletionTimestamp !== undefined) {
      throw new StowageError("INVALID_REQUEST", `pvc ${name} is being deleted`);
    }
    if (known !== undefined) continue;
    const what = `Create Claim ${name}`;
    const where = `Pod ${pod.metadata.name} in StatefulSet ${set.metadata.name}`;
    await client.create(persistentVolumeClaims, claim).then(
      () => recorder.event(set, "Normal", "SuccessfulCreate", `${what} ${where} success`),
      (error: unknown) => {
        if (isAlreadyExists(error)) return;
        recorder.event(set, "Warning", "FailedCreate", `${what} for ${where} failed error: ${errorText(error)}`);
        throw error;
      },
    );
  }
}

function knownClaims({ claims }: StatefulControl, set: StatefulSet, pod: Pod): PersistentVolumeClaim[] {
  return desiredClaims(set, pod).flatMap((claim) => claims.objects.getByKey(objectKey(claim)) ?? []);
}

export function areClaimsRight(control: StatefulControl, set: StatefulSet, pod: Pod): boolean {
  return knownClaims(control, set, pod).every((claim) => areOwnersRight(claim, { set, pod }));
}

/** Claims that go with a Pod that is gone: a Pod that used them now would lose them. */
export function hasStaleClaims(control: StatefulControl, set: StatefulSet, pod: Pod): boolean {
  if (set.spec?.persistentVolumeClaimRetentionPolicy?.whenScaled !== "Delete") return false;
  return knownClaims(control, set, pod).some((claim) => isStale(claim, pod));
}

export async function syncClaimOwners(control: StatefulControl, set: StatefulSet, pod: Pod): Promise<void> {
  const owners = { set, pod };
  for (const claim of knownClaims(control, set, pod)) {
    if (hasForeignController(claim, owners)) {
      const message = `PersistentVolumeClaim ${claim.metadata.name} has a conflicting OwnerReference that acts as a manging controller, the retention policy is ignored for this claim`;
      control.recorder.event(set, "Warning", "ConflictingController", message);
    }
    if (areOwnersRight(claim, owners)) continue;
    const metadata = { ...claim.metadata, ownerReferences: desiredClaimOwners(claim, owners) };
    await control.client.update(persistentVolumeClaims, { ...claim, metadata });
  }
}
