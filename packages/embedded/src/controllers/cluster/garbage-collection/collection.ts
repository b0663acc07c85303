import { isNotFound } from "@stowage/kube";
import type { KubernetesObject, OwnerReference } from "@stowage/machinery";
import type { AbsentOwners } from "./absent-owners.ts";
import { blockingDependents, FOREGROUND, type GraphNode, type Identity, ORPHAN, ownerIdentity } from "./graph-node.ts";
import type { ObjectAccess } from "./object-access.ts";
import { hasFinalizer, type OwnerGraph } from "./owner-graph.ts";

export interface Collection {
  readonly graph: OwnerGraph;
  readonly access: ObjectAccess;
  readonly absent: AbsentOwners;
  check(node: GraphNode): void;
}

/** What the owners of an object are to it at present. */
export interface OwnerStates {
  /** There, and not about to go with all that depends on it. */
  readonly solid: readonly OwnerReference[];
  readonly dangling: readonly OwnerReference[];
  /** Being deleted in the foreground. */
  readonly waiting: readonly OwnerReference[];
}

type Verdict =
  | { readonly do: "nothing" }
  | { readonly do: "removeOwners"; readonly uids: readonly string[] }
  | { readonly do: "delete"; readonly policy: "Orphan" | "Background" | "Foreground" };

/** What becomes of an object with such owners. It lives as long as one of them does. */
export function verdictOn(states: OwnerStates, object: KubernetesObject, hasDependents: boolean): Verdict {
  const { solid, dangling, waiting } = states;
  if (solid.length > 0) {
    // An owner that waits would wait for this one, too, which does not go.
    const uids = [...dangling, ...waiting].map(({ uid }) => uid);
    return uids.length === 0 ? { do: "nothing" } : { do: "removeOwners", uids };
  }
  if (waiting.length > 0 && hasDependents) return { do: "delete", policy: "Foreground" };
  if (hasFinalizer(object, ORPHAN)) return { do: "delete", policy: "Orphan" };
  return { do: "delete", policy: hasFinalizer(object, FOREGROUND) ? "Foreground" : "Background" };
}

/** Looks whether an object may stay, and deletes it if not. True when it has to be looked at again, since nobody has seen it yet. */
export async function checkObject(collection: Collection, uid: string): Promise<boolean> {
  const { graph, access } = collection;
  const node = graph.find(uid);
  // One that is on its way out goes by itself; what depends on it is looked at when it is gone.
  if (node === undefined || (node.isBeingDeleted && !node.isDeletingDependents)) return false;
  const { identity } = node;
  if (await isMisplaced(collection, identity)) return false;
  const latest = await access.find(identity);
  if (latest === undefined || latest.metadata.uid !== uid) {
    graph.notFound(identity);
    return false;
  }
  if (node.isDeletingDependents) await continueForeground(collection, node);
  else await judge(collection, node, latest);
  return node.isVirtual;
}

/** Named as owner by an object of the whole cluster, which cannot be in a namespace: there is no place to look for it. */
async function isMisplaced({ access }: Collection, identity: Identity): Promise<boolean> {
  return identity.namespace === "" && (await access.resourceOf(identity)).namespaced;
}

async function continueForeground({ access, check }: Collection, node: GraphNode): Promise<void> {
  const blocking = blockingDependents(node);
  if (blocking.length === 0) return await access.removeFinalizer(node.identity, FOREGROUND);
  for (const dependent of blocking) if (!dependent.isDeletingDependents) check(dependent);
}

async function judge(collection: Collection, node: GraphNode, latest: KubernetesObject): Promise<void> {
  const owners = latest.metadata.ownerReferences ?? [];
  if (owners.length === 0) return;
  const states = await ownerStates(collection, node.identity, owners);
  if (states === undefined) return;
  const { graph, access } = collection;
  const { identity } = node;
  const verdict = verdictOn(states, latest, node.dependents.size > 0);
  if (verdict.do === "nothing") return;
  if (verdict.do === "removeOwners") return await access.removeOwners(identity, verdict.uids);
  const isInCircle = states.waiting.length > 0 && [...node.dependents].some((each) => each.isDeletingDependents);
  // Two that wait for each other would do so for ever.
  if (isInCircle) await access.unblockOwners(identity, node.owners);
  if (!(await access.delete(identity, isInCircle ? unversioned(latest) : latest, verdict.policy)))
    graph.notFound(identity);
}

/** After a write of our own the version that was looked at is no longer the newest. */
function unversioned(object: KubernetesObject): KubernetesObject {
  const { resourceVersion: _version, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/** Undefined where an owner can never be found: an object of the whole cluster names one in a namespace. */
async function ownerStates(
  collection: Collection,
  { namespace }: Identity,
  references: readonly OwnerReference[],
): Promise<OwnerStates | undefined> {
  const solid: OwnerReference[] = [];
  const dangling: OwnerReference[] = [];
  const waiting: OwnerReference[] = [];
  for (const reference of references) {
    const state = await ownerState(collection, reference, namespace);
    if (state === "misplaced") return undefined;
    ({ solid, dangling, waiting })[state].push(reference);
  }
  return { solid, dangling, waiting };
}

async function ownerState(
  { access, absent }: Collection,
  reference: OwnerReference,
  namespace: string,
): Promise<keyof OwnerStates | "misplaced"> {
  const identity = ownerIdentity(reference, namespace);
  if (absent.has(identity)) return "dangling";
  const { namespaced } = await access.resourceOf(identity);
  if (namespaced && namespace === "") return "misplaced";
  const owner = await access.find(identity);
  if (owner?.metadata.uid !== reference.uid) {
    absent.add(namespaced ? identity : { ...identity, namespace: "" });
    return "dangling";
  }
  const isGoing = owner.metadata.deletionTimestamp !== undefined;
  return isGoing && hasFinalizer(owner, FOREGROUND) ? "waiting" : "solid";
}

/** Has all that depends on the object let go of it, and then the object go. */
export async function orphanDependents({ graph, access }: Collection, uid: string): Promise<void> {
  const owner = graph.find(uid);
  if (owner === undefined) return;
  const outcomes = await Promise.allSettled(
    [...owner.dependents].map(({ identity }) => access.removeOwners(identity, [uid])),
  );
  const failure = outcomes.find((outcome) => outcome.status === "rejected" && !isNotFound(outcome.reason));
  if (failure?.status === "rejected") throw failure.reason;
  await access.removeFinalizer(owner.identity, ORPHAN);
}
