import { isInvalid, isNotFound, type KubeClient } from "@stowage/kube";
import { type KubernetesObject, type ResourceType, StowageError } from "@stowage/machinery";
import { controllerOf, controllerReference } from "./owner-references.ts";

export interface Claim<T extends KubernetesObject> {
  readonly client: KubeClient;
  /** Of what is claimed. */
  readonly type: ResourceType<T>;
  readonly ownerType: ResourceType;
  readonly owner: KubernetesObject;
  isMatch(object: T): boolean;
  /** Put on what is adopted, and taken from what is released. */
  readonly finalizer?: string;
}

type Decision = "keep" | "adopt" | "release" | "ignore";

/** Whether an object is the owner's, becomes it, is so no longer, or is nothing to it. An owner that is being deleted changes nothing. */
export function claimDecision<T extends KubernetesObject>(
  owner: KubernetesObject,
  object: T,
  isMatch: (object: T) => boolean,
): Decision {
  const controller = controllerOf(object);
  const isOwnerGoing = owner.metadata.deletionTimestamp !== undefined;
  if (controller !== undefined) {
    if (controller.uid !== owner.metadata.uid) return "ignore";
    if (isMatch(object)) return "keep";
    return isOwnerGoing ? "ignore" : "release";
  }
  const isGoing = object.metadata.deletionTimestamp !== undefined;
  const isElsewhere = object.metadata.namespace !== owner.metadata.namespace;
  return isOwnerGoing || isGoing || isElsewhere || !isMatch(object) ? "ignore" : "adopt";
}

/** Adopts and releases what has to be, and returns those that are the owner's now. */
export async function claimObjects<T extends KubernetesObject>(
  claim: Claim<T>,
  candidates: readonly T[],
): Promise<T[]> {
  const claimed: T[] = [];
  let mayAdopt: Promise<void> | undefined;
  for (const object of candidates) {
    const decision = claimDecision(claim.owner, object, (each) => claim.isMatch(each));
    if (decision === "keep") claimed.push(object);
    if (decision === "release") await release(claim, object);
    if (decision !== "adopt") continue;
    mayAdopt ??= checkOwner(claim);
    await mayAdopt;
    if (await adopt(claim, object)) claimed.push(object);
  }
  return claimed;
}

/** The copies may be old: one that is being deleted, or another of the same name, must not adopt. */
async function checkOwner<T extends KubernetesObject>({ client, ownerType, owner }: Claim<T>): Promise<void> {
  const { namespace, name = "", uid } = owner.metadata;
  const fresh = await client.get(ownerType, { namespace, name });
  if (fresh.metadata.uid === uid && fresh.metadata.deletionTimestamp === undefined) return;
  throw new StowageError(
    "INVALID_REQUEST",
    `${ownerType.kind} ${namespace}/${name} is going or gone: it adopts nothing`,
  );
}

async function adopt<T extends KubernetesObject>(claim: Claim<T>, object: T): Promise<boolean> {
  const { client, type, owner, finalizer } = claim;
  const { namespace, name = "", uid } = object.metadata;
  const finalizers = finalizer === undefined ? {} : { finalizers: [finalizer] };
  const patch = { metadata: { uid, ownerReferences: [controllerReference(owner)], ...finalizers } };
  return await client.patch(type, { namespace, name }, { type: "strategic", patch }).then(
    () => true,
    (error: unknown) => {
      if (isNotFound(error)) return false;
      throw error;
    },
  );
}

async function release<T extends KubernetesObject>(claim: Claim<T>, object: T): Promise<void> {
  const { client, type, owner, finalizer } = claim;
  const { namespace, name = "", uid } = object.metadata;
  const ownerReferences = [{ $patch: "delete", uid: owner.metadata.uid }];
  const finalizers = finalizer === undefined ? {} : { "$deleteFromPrimitiveList/finalizers": [finalizer] };
  const patch = { metadata: { uid, ownerReferences, ...finalizers } };
  await client.patch(type, { namespace, name }, { type: "strategic", patch }).catch((error: unknown) => {
    // Invalid: it is another object of that name by now.
    if (!isNotFound(error) && !isInvalid(error)) throw error;
  });
}
