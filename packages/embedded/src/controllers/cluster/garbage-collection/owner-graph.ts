import type { KubernetesObject, OwnerReference } from "@stowage/machinery";
import {
  alternateIdentity,
  FOREGROUND,
  type GraphNode,
  type Identity,
  identityOf,
  isSameCoordinates,
  isSameIdentity,
  ORPHAN,
  ownerIdentity,
  partitionDependents,
} from "./graph-node.ts";

/** What follows from a change of the graph. */
export interface GraphNews {
  /** Somebody has to look whether the object still has an owner, is there at all, or may go. */
  check(node: GraphNode): void;
  /** As `check`, after a while: it is not the first time. */
  checkLater(node: GraphNode): void;
  /** Those that depend on the object are to let go of it. */
  orphan(node: GraphNode): void;
  /** There is certainly no such object. */
  absent(identity: Identity): void;
  /** The object names an owner that is in another namespace. */
  foreignOwner(dependent: GraphNode, owner: OwnerReference): void;
}

/**
 * Who owns whom, of all objects of the cluster, by their uids. It is told of every object that comes, changes and goes, and tells what
 * has to be looked at. Owners that are named before they are seen are in it as well; whoever checks them finds out whether they exist.
 */
export class OwnerGraph {
  readonly #nodes = new Map<string, GraphNode>();
  readonly #news: GraphNews;

  constructor(news: GraphNews) {
    this.#news = news;
  }

  find(uid: string): GraphNode | undefined {
    return this.#nodes.get(uid);
  }

  /** The object was added, or has changed since `previous`. */
  seen(object: KubernetesObject, previous?: KubernetesObject): void {
    const known = this.#nodes.get(object.metadata.uid ?? "");
    if (known?.isVirtual) this.#becomeReal(known, identityOf(object));
    const node = known ?? this.#insert(object);
    if (known !== undefined) this.#changeOwners(known, object.metadata.ownerReferences ?? []);
    if (isBeingDeleted(object)) node.isBeingDeleted = true;
    this.#noteDeletion(node, object, previous);
  }

  /** The object was deleted. */
  gone(object: KubernetesObject): void {
    const node = this.#nodes.get(object.metadata.uid ?? "");
    if (node !== undefined) this.#remove(node, identityOf(object));
  }

  /** Somebody looked for the object where it is said to be, and it is not there. */
  notFound(identity: Identity): void {
    const node = this.#nodes.get(identity.uid);
    if (node === undefined) return;
    const { matching, others } = partitionDependents(node.dependents, identity);
    const isSame = isSameIdentity(node.identity, identity);
    if (node.isVirtual ? others.length === 0 : isSame) return this.#remove(node, identity);
    // It may be elsewhere: only those that look for it in this very place have lost it.
    if (matching.length > 0) this.#news.absent(identity);
    for (const dependent of matching) this.#news.check(dependent);
    const alternate = node.isVirtual && isSame ? alternateIdentity(others, identity) : undefined;
    if (alternate === undefined) return;
    node.identity = alternate;
    this.#news.checkLater(node);
  }

  #becomeReal(node: GraphNode, identity: Identity): void {
    node.isVirtual = false;
    if (isSameIdentity(node.identity, identity)) return;
    for (const dependent of partitionDependents(node.dependents, identity).others) {
      const isElsewhere = identity.namespace !== "" && dependent.identity.namespace !== identity.namespace;
      const reference = dependent.owners.find(({ uid }) => uid === identity.uid);
      if (isElsewhere && reference !== undefined) this.#news.foreignOwner(dependent, reference);
      this.#news.check(dependent);
    }
    node.identity = identity;
  }

  #insert(object: KubernetesObject): GraphNode {
    const node: GraphNode = {
      identity: identityOf(object),
      owners: object.metadata.ownerReferences ?? [],
      dependents: new Set(),
      isVirtual: false,
      isBeingDeleted: isBeingDeleted(object),
      isDeletingDependents: isBeingDeleted(object) && hasFinalizer(object, FOREGROUND),
    };
    this.#nodes.set(node.identity.uid, node);
    this.#addToOwners(node, node.owners);
    return node;
  }

  #remove(node: GraphNode, identity: Identity): void {
    this.#nodes.delete(node.identity.uid);
    this.#removeFromOwners(node, node.owners);
    if (node.dependents.size > 0) this.#news.absent(identity);
    for (const dependent of node.dependents) this.#news.check(dependent);
    for (const { uid } of node.owners) {
      const owner = this.#nodes.get(uid);
      if (owner?.isDeletingDependents) this.#news.check(owner);
    }
  }

  #changeOwners(node: GraphNode, owners: readonly OwnerReference[]): void {
    const before = new Map(node.owners.map((owner) => [owner.uid, owner]));
    const after = new Map(owners.map((owner) => [owner.uid, owner]));
    const removed = node.owners.filter(({ uid }) => !after.has(uid));
    const isFreed = (owner: OwnerReference) =>
      owner.blockOwnerDeletion === true && after.get(owner.uid)?.blockOwnerDeletion !== true;
    const freed = node.owners.filter(isFreed).flatMap(({ uid }) => this.#nodes.get(uid) ?? []);
    node.owners = owners;
    this.#addToOwners(
      node,
      owners.filter(({ uid }) => !before.has(uid)),
    );
    this.#removeFromOwners(node, removed);
    for (const owner of freed) this.#news.check(owner);
  }

  #addToOwners(node: GraphNode, owners: readonly OwnerReference[]): void {
    let isDoubtful = false;
    for (const reference of owners) {
      const known = this.#nodes.get(reference.uid);
      const owner = known ?? this.#insertVirtual(reference, node.identity.namespace);
      owner.dependents.add(node);
      if (known === undefined) this.#news.check(owner);
      else if (!isDoubtful) isDoubtful = this.#isDoubtful(node, reference, owner);
    }
    if (isDoubtful) this.#news.check(node);
  }

  #insertVirtual(reference: OwnerReference, namespace: string): GraphNode {
    const flags = { isVirtual: true, isBeingDeleted: false, isDeletingDependents: false };
    const identity = ownerIdentity(reference, namespace);
    const node: GraphNode = { identity, owners: [], dependents: new Set(), ...flags };
    this.#nodes.set(reference.uid, node);
    return node;
  }

  /** The reference does not fit the object that has its uid. */
  #isDoubtful(node: GraphNode, reference: OwnerReference, { identity, isVirtual }: GraphNode): boolean {
    const isSamePlace = identity.namespace === node.identity.namespace;
    if (identity.namespace !== "" && !isSamePlace) {
      if (!isVirtual) this.#news.foreignOwner(node, reference);
      return true;
    }
    return !isSameCoordinates(reference, identity) || (!isSamePlace && isVirtual);
  }

  #removeFromOwners(node: GraphNode, owners: readonly OwnerReference[]): void {
    for (const { uid } of owners) this.#nodes.get(uid)?.dependents.delete(node);
  }

  #noteDeletion(node: GraphNode, object: KubernetesObject, previous: KubernetesObject | undefined): void {
    if (startsToWait(object, previous, ORPHAN)) return this.#news.orphan(node);
    if (!startsToWait(object, previous, FOREGROUND)) return;
    node.isDeletingDependents = true;
    for (const dependent of node.dependents) this.#news.check(dependent);
    this.#news.check(node);
  }
}

function startsToWait(object: KubernetesObject, previous: KubernetesObject | undefined, finalizer: string): boolean {
  const waits = (each: KubernetesObject) => isBeingDeleted(each) && hasFinalizer(each, finalizer);
  return waits(object) && (previous === undefined || !waits(previous));
}

function isBeingDeleted({ metadata }: KubernetesObject): boolean {
  return metadata.deletionTimestamp !== undefined;
}

export function hasFinalizer({ metadata }: Pick<KubernetesObject, "metadata">, finalizer: string): boolean {
  return metadata.finalizers?.includes(finalizer) ?? false;
}
