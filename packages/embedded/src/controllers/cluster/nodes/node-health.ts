import { findCondition, formatTime, type Lease, type Node, type NodeCondition } from "@stowage/machinery";

/** How long a node may say nothing before it is taken for lost; longer when it has never said anything. */
const GRACE_MS = 50_000;
const STARTUP_GRACE_MS = 60_000;

/** What is remembered of a node from one look to the next. Only when a sign of life was seen counts, not what its clock says. */
export interface NodeHealth {
  readonly heartbeat: string | undefined;
  readonly renewTime: string | undefined;
  readonly seenMs: number;
}

/** The health after a look at the node and its lease. */
export function nextHealth(
  before: NodeHealth | undefined,
  node: Node,
  lease: Lease | undefined,
  nowMs: number,
): NodeHealth {
  const heartbeat = heartbeatOf(node);
  const renewTime = lease?.spec?.renewTime ?? before?.renewTime;
  const isRenewed = renewTime !== undefined && (before?.renewTime === undefined || renewTime > before.renewTime);
  const hasSpoken = before !== undefined && heartbeat !== before.heartbeat;
  if (isRenewed || hasSpoken) return { heartbeat, renewTime, seenMs: nowMs };
  if (before !== undefined) return { heartbeat, renewTime, seenMs: before.seenMs };
  // One that has said nothing so far is as old as the object.
  const createdMs = Date.parse(node.metadata.creationTimestamp ?? "");
  return { heartbeat, renewTime, seenMs: readyOf(node) === undefined ? createdMs : nowMs };
}

/** When the node last said how it fares, by its own clock; undefined when it never has. */
export function heartbeatOf(node: Node): string | undefined {
  const ready = readyOf(node);
  return ready && (ready.lastHeartbeatTime ?? "");
}

export function isLost({ seenMs }: NodeHealth, node: Node, nowMs: number): boolean {
  return nowMs > seenMs + (readyOf(node) === undefined ? STARTUP_GRACE_MS : GRACE_MS);
}

export function readyOf({ status }: Node): NodeCondition | undefined {
  return findCondition(status?.conditions, "Ready");
}

const unknownTypes = ["Ready", "MemoryPressure", "DiskPressure", "PIDPressure"] as const;

/** The conditions of a node that is lost: nobody knows. Undefined when they say so already. */
export function unknownConditions(node: Node, nowMs: number): NodeCondition[] | undefined {
  const lastTransitionTime = formatTime(nowMs);
  const conditions = node.status?.conditions ?? [];
  const changed = conditions.map((condition) => {
    const isOurs = unknownTypes.some((type) => type === condition.type) && condition.status !== "Unknown";
    if (!isOurs) return condition;
    const said = { reason: "NodeStatusUnknown", message: "Kubelet stopped posting node status." };
    return { ...condition, status: "Unknown", ...said, lastTransitionTime } as const;
  });
  const missing = unknownTypes
    .filter((type) => findCondition(conditions, type) === undefined)
    .map((type) => ({
      type,
      status: "Unknown" as const,
      reason: "NodeStatusNeverUpdated",
      message: "Kubelet never posted node status.",
      lastHeartbeatTime: node.metadata.creationTimestamp,
      lastTransitionTime,
    }));
  // The others are written along with the readiness, never alone.
  return readyOf(node)?.status === "Unknown" ? undefined : [...changed, ...missing];
}
