import {
  type ClusterCSIDriver,
  type ConditionShape,
  type Container,
  clusterCSIDrivers,
  daemonSets,
  deployments,
  type KubernetesObject,
  type LabelSelectorShape,
  type Lease,
  labelMatcherFrom,
  leases,
  type Pod,
  type PodSpec,
  pods,
  statefulSets,
} from "@stowage/machinery";
import { attacherLease, provisionerLease, resizerLease, snapshotterLease } from "@stowage/sidecars";
import type { Facts } from "../facts.ts";

export type SidecarRole = "provisioner" | "attacher" | "resizer" | "snapshotter";

export const leaseNames: Readonly<Record<SidecarRole, (driver: string) => string>> = {
  provisioner: provisionerLease,
  attacher: attacherLease,
  resizer: resizerLease,
  snapshotter: snapshotterLease,
};

/** What keeps Pods running: a Deployment, a StatefulSet or a DaemonSet. */
export interface Workload {
  readonly object: KubernetesObject;
  readonly spec: PodSpec;
  readonly wanted: number;
  readonly available: number;
  readonly selector: LabelSelectorShape;
  readonly conditions: readonly ConditionShape[];
}

/** All that may run sidecars or drivers. */
export async function allWorkloads(facts: Facts): Promise<readonly Workload[]> {
  const [deployed, stateful, onNodes] = await Promise.all([
    facts.list(deployments),
    facts.list(statefulSets),
    facts.list(daemonSets),
  ]);
  return [
    ...[...deployed, ...stateful].map((object) => ({
      object,
      spec: object.spec?.template.spec ?? { containers: [] },
      wanted: object.spec?.replicas ?? 1,
      available: object.status?.availableReplicas ?? 0,
      selector: object.spec?.selector ?? {},
      conditions: object.status?.conditions ?? [],
    })),
    ...onNodes.map((object) => ({
      object,
      spec: object.spec?.template.spec ?? { containers: [] },
      wanted: object.status?.desiredNumberScheduled ?? 0,
      available: object.status?.numberAvailable ?? 0,
      selector: object.spec?.selector ?? {},
      conditions: object.status?.conditions ?? [],
    })),
  ];
}

/** Those whose Pods run the sidecar beside the driver. */
export async function sidecarWorkloads(driver: string, role: SidecarRole, facts: Facts): Promise<readonly Workload[]> {
  const all = await allWorkloads(facts);
  const running = all.filter(({ spec }) => spec.containers.some((container) => runsRole(container, role)));
  const named = running.filter((workload) => mentions(workload, driver));
  if (named.length > 0) return named;
  const operated = ownedWorkloads(await facts.find(clusterCSIDrivers, { name: driver }));
  // Whose operator tells what it keeps, has no other: not every driver has every sidecar.
  if (operated.size > 0) return running.filter(({ object }) => operated.has(pathOf(object)));
  const holders = (await leasesOf(driver, role, facts)).map(({ spec }) => spec?.holderIdentity ?? "");
  const holding = running.filter(({ object }) =>
    holders.some((holder) => holder.startsWith(`${object.metadata.name}-`)),
  );
  if (holding.length > 0) return holding;
  // A controller's arguments rarely say the driver's name; that of its nodes' Pods is in the path of the socket.
  const homes = new Set(all.filter((each) => mentions(each, driver)).map(({ object }) => object.metadata.namespace));
  const beside = running.filter(({ object }) => homes.has(object.metadata.namespace));
  return beside.length === 1 ? beside : [];
}

/** Those whose Pods serve the driver on nodes. */
export async function nodeWorkloads(driver: string, facts: Facts): Promise<readonly Workload[]> {
  return (await allWorkloads(facts)).filter((each) => each.object.kind === "DaemonSet" && mentions(each, driver));
}

export async function leasesOf(driver: string, role: SidecarRole, facts: Facts): Promise<readonly Lease[]> {
  return facts.list(leases, { fieldSelector: `metadata.name=${leaseNames[role](driver)}` });
}

/** How often a lease may be missed before nobody seems to hold it. */
const MISSED = 2;

export function isHeld({ spec }: Lease, nowMs: number): boolean {
  const { holderIdentity = "", renewTime = "", leaseDurationSeconds = 0 } = spec ?? {};
  return holderIdentity !== "" && nowMs - Date.parse(renewTime) < leaseDurationSeconds * 1000 * MISSED;
}

export async function podsOf({ object, selector }: Workload, facts: Facts): Promise<readonly Pod[]> {
  const matcher = labelMatcherFrom(selector);
  const all = await facts.list(pods, { namespace: object.metadata.namespace });
  return all.filter(({ metadata }) => matcher.matches(metadata.labels ?? {}));
}

export function runsRole({ name, image = "", command = [], args = [] }: Container, role: SidecarRole): boolean {
  const chosen = args.find((word) => word.startsWith("--controllers="));
  if (chosen !== undefined) return chosen.slice("--controllers=".length).split(",").includes(role);
  return [name, image, ...command, ...args].some((word) =>
    new RegExp(`\\b(?:csi-)?${role}\\b|\\bsidecars\\b`, "u").test(word),
  );
}

/** Whether the driver's name is anywhere in what the Pods are made of, by itself and not as part of a longer one. */
function mentions({ spec, object }: Workload, driver: string): boolean {
  const text = JSON.stringify([spec, object.metadata.labels, object.metadata.annotations]);
  return new RegExp(`(?<![\\w.-])${RegExp.escape(driver)}(?![\\w-]|\\.\\w)`, "u").test(text);
}

/** What the driver's operator says that it keeps. */
function ownedWorkloads(driver: ClusterCSIDriver | undefined): ReadonlySet<string> {
  const generations = driver?.status?.generations ?? [];
  return new Set(generations.map(({ resource, namespace, name }) => `${resource} ${namespace}/${name}`));
}

function pathOf({ kind, metadata }: KubernetesObject): string {
  return `${kind.toLowerCase()}s ${metadata.namespace}/${metadata.name}`;
}
