import type { Container, Pod } from "@stowage/machinery";
import { allowed } from "../../explain/check.ts";
import {
  leaseNames,
  nodeWorkloads,
  podsOf,
  type SidecarRole,
  sidecarWorkloads,
  type Workload,
} from "../../explain/driver/driver-workloads.ts";
import type { Facts } from "../../explain/facts.ts";
import type { ContainerLog } from "../records.ts";

/** More Pods than a volume has to do with; a driver that is on every node of a large cluster is not read everywhere. */
const MOST_PODS = 20;

/** Those that run the driver or a sidecar of it, on nodes only where the volume was. */
export async function driverPods(driver: string, nodes: ReadonlySet<string>, facts: Facts): Promise<readonly Pod[]> {
  const workloads = await workloadsOf(driver, facts);
  const found = await Promise.all(workloads.map((workload) => podsWhere(workload, nodes, facts)));
  return found.flat().slice(0, MOST_PODS);
}

async function workloadsOf(driver: string, facts: Facts): Promise<readonly Workload[]> {
  const roles = Object.keys(leaseNames) as SidecarRole[];
  const found = await allowed(() =>
    Promise.all([...roles.map((role) => sidecarWorkloads(driver, role, facts)), nodeWorkloads(driver, facts)]),
  );
  const byUid = new Map((found ?? []).flat().map((workload) => [workload.object.metadata.uid, workload]));
  return [...byUid.values()];
}

async function podsWhere(workload: Workload, nodes: ReadonlySet<string>, facts: Facts): Promise<readonly Pod[]> {
  const pods = (await allowed(() => podsOf(workload, facts))) ?? [];
  if (workload.object.kind !== "DaemonSet" || nodes.size === 0) return pods;
  return pods.filter(({ spec }) => nodes.has(spec?.nodeName ?? ""));
}

/** What their containers wrote, as far as it can be had. */
export async function logsOf(pods: readonly Pod[], facts: Facts): Promise<readonly ContainerLog[]> {
  const wanted = pods.flatMap((pod) =>
    (pod.spec?.containers ?? []).filter(writesOfVolumes).map((container) => ({ pod, container: container.name })),
  );
  const logs: ContainerLog[] = [];
  for (const { pod, container } of wanted) {
    const { namespace = "", name = "" } = pod.metadata;
    const text = await facts.log({ namespace, pod: name, container });
    if (text !== undefined) logs.push({ namespace, pod: name, container, node: pod.spec?.nodeName, text });
  }
  return logs;
}

/** Proxies before metrics know of no volume. */
function writesOfVolumes({ name, image = "", args = [] }: Container): boolean {
  return ![name, image, ...args.slice(0, 1)].some((word) => word.includes("rbac-proxy"));
}
