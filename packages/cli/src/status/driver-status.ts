import { type CSINode, csiNodes, isConditionTrue, type Pod } from "@stowage/machinery";
import {
  nodeWorkloads,
  podsOf,
  type SidecarRole,
  sidecarWorkloads,
  type Workload,
} from "../explain/driver/driver-workloads.ts";
import { workloadDown } from "../explain/driver/sidecar-checks.ts";
import type { Facts } from "../explain/facts.ts";
import { nameOf } from "../explain/finding.ts";
import { oneLine } from "./operator-status.ts";
import type { StatusNode } from "./status-node.ts";

const roles: readonly SidecarRole[] = ["provisioner", "attacher", "resizer", "snapshotter"];

/** What runs for a driver: its controller, and its Pod on each node. */
export async function driverWorkloads(driver: string, facts: Facts): Promise<readonly StatusNode[]> {
  const found: Workload[] = [];
  for (const role of roles) found.push(...(await sidecarWorkloads(driver, role, facts)));
  found.push(...(await nodeWorkloads(driver, facts)));
  const unique = [...new Map(found.map((each) => [nameOf(each.object), each])).values()];
  return Promise.all(unique.map((workload) => workloadStatus(workload, driver, facts)));
}

async function workloadStatus(workload: Workload, driver: string, facts: Facts): Promise<StatusNode> {
  const { object, wanted, available } = workload;
  const running = await podsOf(workload, facts);
  const registered = await facts.list(csiNodes);
  const isOnNodes = object.kind === "DaemonSet";
  const children = running
    .toSorted((a, b) => (a.metadata.name ?? "").localeCompare(b.metadata.name ?? ""))
    .map((pod) => podStatus(pod, isOnNodes ? { driver, csiNodes: registered } : undefined));
  const node = {
    name: nameOf(object),
    version: versionOf(workload),
    facts: [`${available}/${wanted} available`],
    children,
  };
  if (available >= wanted && wanted > 0) return { ...node, state: "well" };
  if (isOnNodes && wanted === 0) return { ...node, state: "unknown", says: "It is to run on no node." };
  if (available > 0) return { ...node, state: "working", says: `${wanted - available} of its Pods are not available.` };
  const { cause, says } = await workloadDown(workload, facts);
  return { ...node, state: "bad", says: oneLine(`${says} (${cause})`) };
}

interface OnNode {
  readonly driver: string;
  readonly csiNodes: readonly CSINode[];
}

/** A Pod on a node is well when kubelet knows the driver by it. */
function podStatus(pod: Pod, onNode: OnNode | undefined): StatusNode {
  const nodeName = pod.spec?.nodeName ?? "";
  const isReady = isConditionTrue(pod.status?.conditions, "Ready");
  const facts = [nodeName === "" ? "no node" : `on ${nodeName}`, isReady ? "ready" : (pod.status?.phase ?? "Pending")];
  const node = { name: nameOf(pod), facts, children: [] };
  if (!isReady) return { ...node, state: "bad", says: podTrouble(pod) };
  if (onNode === undefined) return { ...node, state: "well" };
  const csiNode = onNode.csiNodes.find(({ metadata }) => metadata.name === nodeName);
  const isRegistered = (csiNode?.spec.drivers ?? []).some(({ name }) => name === onNode.driver);
  if (isRegistered) return { ...node, facts: [...facts, "registered"], state: "well" };
  return { ...node, state: "bad", says: `Driver ${onNode.driver} is not registered on node ${nodeName}.` };
}

function podTrouble({ status, spec }: Pod): string {
  const { containerStatuses = [], initContainerStatuses = [], conditions = [] } = status ?? {};
  const waiting = [...initContainerStatuses, ...containerStatuses].find(
    ({ state }) => state?.waiting?.reason !== undefined,
  );
  if (waiting !== undefined) {
    const { reason = "", message = "" } = waiting.state?.waiting ?? {};
    return oneLine(`Container ${waiting.name}: ${reason}${message === "" ? "" : `: ${message}`}`);
  }
  const unscheduled = conditions.find(({ type, status: isSo }) => type === "PodScheduled" && isSo === "False");
  if (!spec?.nodeName && unscheduled !== undefined) return oneLine(unscheduled.message ?? "It has no node.");
  return `It is ${status?.phase ?? "Pending"} and not ready.`;
}

/** The tag of the driver's image, which is what people call its version. */
function versionOf({ spec }: Workload): string | undefined {
  const image = (spec.containers.find(({ name }) => name === "csi-driver") ?? spec.containers[0])?.image ?? "";
  return /:([\w.-]+)$/u.exec(image)?.[1];
}
