import type { KubernetesObject, OwnerReference } from "@stowage/machinery";

/** Waits for those that depend on the object before it goes. */
export const FOREGROUND = "foregroundDeletion";
/** Has those that depend on the object let go of it first. */
export const ORPHAN = "orphan";

/** Where an object is, or, of an owner that nobody has seen yet, where those that name it say that it is. */
export interface Identity {
  readonly apiVersion: string;
  readonly kind: string;
  /** Empty for what is the whole cluster's. */
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** An object with those that it owns. */
export interface GraphNode {
  identity: Identity;
  owners: readonly OwnerReference[];
  readonly dependents: Set<GraphNode>;
  /** Named as an owner, and not seen yet: it may not be there at all. */
  isVirtual: boolean;
  isBeingDeleted: boolean;
  /** It is being deleted in the foreground. */
  isDeletingDependents: boolean;
}

export function identityOf({ apiVersion, kind, metadata }: KubernetesObject): Identity {
  const { namespace = "", name = "", uid = "" } = metadata;
  return { apiVersion, kind, namespace, name, uid };
}

/** The owner as an object in that namespace refers to it. */
export function ownerIdentity({ apiVersion, kind, name, uid }: OwnerReference, namespace: string): Identity {
  return { apiVersion, kind, namespace, name, uid };
}

export function isSameIdentity(left: Identity, right: Identity): boolean {
  return left.namespace === right.namespace && isSameCoordinates(left, right);
}

type Coordinates = Omit<Identity, "namespace">;

export function isSameCoordinates(left: Coordinates, right: Coordinates): boolean {
  return (
    left.uid === right.uid &&
    left.name === right.name &&
    left.kind === right.kind &&
    left.apiVersion === right.apiVersion
  );
}

/** In the words of events and logs. */
export function describeIdentity({ apiVersion, kind, namespace, name, uid }: Identity): string {
  return `[${apiVersion}/${kind}, namespace: ${namespace}, name: ${name}, uid: ${uid}]`;
}

/** Those that the node has to wait for when it is deleted in the foreground. */
export function blockingDependents(node: GraphNode): GraphNode[] {
  const blocks = ({ uid, blockOwnerDeletion }: OwnerReference) => uid === node.identity.uid && blockOwnerDeletion;
  return [...node.dependents].filter(({ owners }) => owners.some(blocks));
}

/**
 * Which of the dependents mean that very owner, and which mean another place by the same uid. One with several references may do both.
 */
export function partitionDependents(dependents: Iterable<GraphNode>, owner: Identity) {
  const matching: GraphNode[] = [];
  const others: GraphNode[] = [];
  for (const dependent of dependents) {
    const isElsewhere = owner.namespace !== "" && owner.namespace !== dependent.identity.namespace;
    const references = dependent.owners.filter(({ uid }) => uid === owner.uid);
    if (!isElsewhere && references.some((each) => isSameCoordinates(each, owner))) matching.push(dependent);
    if (isElsewhere || references.some((each) => !isSameCoordinates(each, owner))) others.push(dependent);
  }
  return { matching, others };
}

/**
 * Another place where the owner may be, as its dependents say, after one turned out to be empty: the next in order, or else the first,
 * so that all of them get their turn.
 */
export function alternateIdentity(dependents: Iterable<GraphNode>, absent: Identity): Identity | undefined {
  const alternates = [...dependents]
    .flatMap(({ owners, identity }) => owners.map((owner) => alternateOf(owner, identity.namespace, absent)))
    .filter((each) => each.uid === absent.uid && !isSameIdentity(each, absent))
    .toSorted(compareIdentities);
  return alternates.find((each) => compareIdentities(absent, each) < 0) ?? alternates[0];
}

function alternateOf(owner: OwnerReference, namespace: string, absent: Identity): Identity {
  // The absent one tells that objects of this kind are in no namespace.
  const isOfCluster = absent.namespace === "" && owner.apiVersion === absent.apiVersion && owner.kind === absent.kind;
  return ownerIdentity(owner, isOfCluster ? "" : namespace);
}

function compareIdentities(left: Identity, right: Identity): number {
  for (const key of ["kind", "apiVersion", "namespace", "name", "uid"] as const) {
    if (left[key] !== right[key]) return left[key] < right[key] ? -1 : 1;
  }
  return 0;
}
