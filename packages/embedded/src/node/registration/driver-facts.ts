import { type CSINode, type CSINodeDriver, type Node, StowageError } from "@stowage/machinery";

/** What a driver says of the node that it runs on. */
export interface NodeFacts {
  readonly nodeId: string;
  /** 0 when there is no limit. */
  readonly maxVolumes: bigint;
  readonly topology: Readonly<Record<string, string>>;
}

const nodeIdAnnotation = "csi.volume.kubernetes.io/nodeid";
const migratedPluginsAnnotation = "storage.alpha.kubernetes.io/migrated-plugins";
/** Volumes of these are served by CSI drivers in any case. Everybody who schedules asks each node whether it knows that. */
const migratedPlugins = [
  "kubernetes.io/aws-ebs",
  "kubernetes.io/azure-disk",
  "kubernetes.io/azure-file",
  "kubernetes.io/cinder",
  "kubernetes.io/gce-pd",
  "kubernetes.io/portworx-volume",
  "kubernetes.io/vsphere-volume",
].join(",");
const MAXIMUM_COUNT = 2n ** 31n - 1n;

/** The node's CSINode, without any driver. */
export function newCsiNode(node: Node): CSINode {
  const { name = "", uid = "" } = node.metadata;
  return {
    apiVersion: "storage.k8s.io/v1",
    kind: "CSINode",
    metadata: {
      name,
      annotations: { [migratedPluginsAnnotation]: migratedPlugins },
      ownerReferences: [{ apiVersion: "v1", kind: "Node", name, uid }],
    },
    spec: { drivers: [] },
  };
}

export function isOwnedBy(csiNode: CSINode, node: Node): boolean {
  const owners = csiNode.metadata.ownerReferences ?? [];
  return owners.some(
    ({ kind, name, uid }) => kind === "Node" && name === node.metadata.name && uid === node.metadata.uid,
  );
}

/** The CSINode with the driver in it; undefined when it is there already. */
export function withDriver(csiNode: CSINode, driver: string, facts: NodeFacts): CSINode | undefined {
  const desired = desiredDriver(driver, facts);
  const current = driversOf(csiNode).find(({ name }) => name === driver);
  if (current !== undefined && isSameDriver(current, desired)) return undefined;
  const others = driversOf(csiNode).filter(({ name }) => name !== driver);
  return { ...csiNode, spec: { ...csiNode.spec, drivers: [...others, desired] } };
}

/** The CSINode without the driver; undefined when it is not there. */
export function withoutDriver(csiNode: CSINode, driver: string): CSINode | undefined {
  const others = driversOf(csiNode).filter(({ name }) => name !== driver);
  if (others.length === driversOf(csiNode).length) return undefined;
  return { ...csiNode, spec: { ...csiNode.spec, drivers: others } };
}

/** An empty list comes back from the server as none at all. */
function driversOf({ spec }: CSINode): readonly CSINodeDriver[] {
  const drivers: readonly CSINodeDriver[] | null = spec.drivers;
  return drivers ?? [];
}

function desiredDriver(name: string, { nodeId, maxVolumes, topology }: NodeFacts): CSINodeDriver {
  const count = Number(maxVolumes > MAXIMUM_COUNT ? MAXIMUM_COUNT : maxVolumes);
  return {
    name,
    nodeID: nodeId,
    topologyKeys: Object.keys(topology).toSorted(),
    ...(count > 0 && { allocatable: { count } }),
  };
}

function isSameDriver(current: CSINodeDriver, desired: CSINodeDriver): boolean {
  const keys = (driver: CSINodeDriver) => (driver.topologyKeys ?? []).toSorted().join("\n");
  return (
    current.nodeID === desired.nodeID &&
    current.allocatable?.count === desired.allocatable?.count &&
    keys(current) === keys(desired)
  );
}

/** The Node with the driver's id of it and where it is; undefined when nothing changes. Throws when it is said to be somewhere else. */
export function labelledNode(node: Node, driver: string, { nodeId, topology }: NodeFacts): Node | undefined {
  const { labels = {}, annotations = {} } = node.metadata;
  const moved = Object.keys(topology).find((key) => labels[key] !== undefined && labels[key] !== topology[key]);
  if (moved !== undefined) {
    const said = `driver reported "${moved}":"${topology[moved]}" but existing label is "${moved}":"${labels[moved]}"`;
    throw new StowageError("DRIVER_NOT_REGISTERED", `detected topology value collision: ${said}`);
  }
  const ids = JSON.stringify({ ...nodeIds(annotations), [driver]: nodeId });
  const isLabelled = Object.keys(topology).every((key) => labels[key] !== undefined);
  if (isLabelled && annotations[nodeIdAnnotation] === ids) return undefined;
  return withMetadata(node, { ...labels, ...topology }, { ...annotations, [nodeIdAnnotation]: ids });
}

/** The Node without the driver's id of it; undefined when there is none. Labels stay, as kubelet leaves them. */
export function unlabelledNode(node: Node, driver: string): Node | undefined {
  const { labels = {}, annotations = {} } = node.metadata;
  const { [driver]: own, ...ids } = nodeIds(annotations);
  if (own === undefined) return undefined;
  const { [nodeIdAnnotation]: _, ...others } = annotations;
  const isLast = Object.keys(ids).length === 0;
  return withMetadata(node, labels, isLast ? others : { ...others, [nodeIdAnnotation]: JSON.stringify(ids) });
}

function withMetadata(node: Node, labels: Record<string, string>, annotations: Record<string, string>): Node {
  return { ...node, metadata: { ...node.metadata, labels, annotations } };
}

function nodeIds(annotations: Readonly<Record<string, string>>): Record<string, string> {
  try {
    const parsed: unknown = JSON.parse(annotations[nodeIdAnnotation] ?? "{}");
    return typeof parsed === "object" && parsed !== null ? (parsed as Record<string, string>) : {};
  } catch {
    return {}; // Somebody else wrote it: it is ours to write.
  }
}
