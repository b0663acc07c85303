import {
  type ComponentStatus,
  type ConfigMap,
  type Lease,
  type Namespace,
  type Node,
  type PriorityClass,
  type ResourceQuota,
  type RuntimeClass,
  type Secret,
  type ServiceAccount,
} from "@stowage/machinery";
import type { Ages } from "../ages.ts";
import { amountText } from "../cell-texts.ts";
import { ageColumn, column, nameColumn, typed, wide } from "../columns.ts";
import { type Printers, printer, type Sparse } from "../printer.ts";

export const clusterPrinters: Printers = {
  "Namespace.": printer<Namespace>({
    columns: [nameColumn, column("Status", { says: "The status of the namespace" }), ageColumn],
    cells: ({ metadata, status }, ages) => [
      metadata?.name ?? "",
      status?.phase ?? "",
      ages.since(metadata?.creationTimestamp),
    ],
  }),
  "Secret.": printer<Secret>({
    columns: [nameColumn, column("Type", { of: "Secret.type" }), column("Data", { of: "Secret.data" }), ageColumn],
    cells: ({ metadata, type, data }, ages) => [
      metadata?.name ?? "",
      type ?? "",
      Object.keys(data ?? {}).length,
      ages.since(metadata?.creationTimestamp),
    ],
  }),
  "ConfigMap.": printer<ConfigMap>({
    columns: [nameColumn, column("Data", { of: "ConfigMap.data" }), ageColumn],
    cells: ({ metadata, data, binaryData }, ages) => [
      metadata?.name ?? "",
      Object.keys(data ?? {}).length + Object.keys(binaryData ?? {}).length,
      ages.since(metadata?.creationTimestamp),
    ],
  }),
  "ServiceAccount.": printer<ServiceAccount>({
    columns: [nameColumn, ageColumn],
    cells: ({ metadata }, ages) => [metadata?.name ?? "", ages.since(metadata?.creationTimestamp)],
  }),
  "Node.": printer<Node>({
    columns: [
      nameColumn,
      column("Status", { says: "The status of the node" }),
      column("Roles", { says: "The roles of the node" }),
      ageColumn,
      column("Version", { of: "NodeSystemInfo.kubeletVersion" }),
      wide("Internal-IP", { of: "NodeStatus.addresses" }),
      wide("External-IP", { of: "NodeStatus.addresses" }),
      wide("OS-Image", { of: "NodeSystemInfo.osImage" }),
      wide("Kernel-Version", { of: "NodeSystemInfo.kernelVersion" }),
      wide("Container-Runtime", { of: "NodeSystemInfo.containerRuntimeVersion" }),
    ],
    cells: nodeCells,
  }),
  "ResourceQuota.": printer<ResourceQuota>({
    columns: [
      nameColumn,
      column("Request", {
        says: "Request represents a minimum amount of cpu/memory that a container may consume.",
      }),
      column("Limit", {
        says: "Limits control the maximum amount of cpu/memory that a container may use independent of contention on the node.",
      }),
      ageColumn,
    ],
    cells: ({ metadata, status }, ages) => [
      metadata?.name ?? "",
      quotaText(status, (name) => !isLimit(name)),
      quotaText(status, isLimit),
      ages.since(metadata?.creationTimestamp),
    ],
  }),
  "ComponentStatus.": printer<ComponentStatus>({
    columns: [
      nameColumn,
      column("Status", { says: "Status of the component conditions" }),
      column("Message", { says: "Message of the component conditions" }),
      column("Error", { says: "Error of the component conditions" }),
    ],
    cells({ metadata, conditions }) {
      const health = conditions?.find(({ type }) => type === "Healthy");
      const status = health?.status === "True" ? "Healthy" : "Unhealthy";
      return [
        metadata?.name ?? "",
        health === undefined ? "Unknown" : status,
        health?.message ?? "",
        health?.error ?? "",
      ];
    },
  }),
  "Lease.coordination.k8s.io": printer<Lease>({
    columns: [nameColumn, column("Holder", { of: "LeaseSpec.holderIdentity" }), ageColumn],
    cells: ({ metadata, spec }, ages) => [
      metadata?.name ?? "",
      spec?.holderIdentity ?? "",
      ages.since(metadata?.creationTimestamp),
    ],
  }),
  "PriorityClass.scheduling.k8s.io": printer<PriorityClass>({
    columns: [
      nameColumn,
      typed("integer", "Value", { of: "PriorityClass.value" }),
      typed("boolean", "Global-Default", { of: "PriorityClass.globalDefault" }),
      ageColumn,
      column("PreemptionPolicy", { of: "PriorityClass.preemptionPolicy" }),
    ],
    cells: ({ metadata, value, globalDefault, preemptionPolicy }, ages) => [
      metadata?.name ?? "",
      value ?? 0,
      globalDefault ?? false,
      ages.since(metadata?.creationTimestamp),
      preemptionPolicy ?? "",
    ],
  }),
  "RuntimeClass.node.k8s.io": printer<RuntimeClass>({
    columns: [nameColumn, column("Handler", {}), ageColumn],
    cells: ({ metadata, handler }, ages) => [
      metadata?.name ?? "",
      handler ?? "",
      ages.since(metadata?.creationTimestamp),
    ],
  }),
};

function nodeCells({ metadata, spec, status }: Sparse<Node>, ages: Ages): string[] {
  const info = status?.nodeInfo;
  const ready = status?.conditions?.findLast(({ type }) => type === "Ready");
  const state = ready?.status === "True" ? "Ready" : "NotReady";
  const address = (wanted: string) => status?.addresses?.find(({ type }) => type === wanted)?.address ?? "<none>";
  const architecture = info?.architecture ? ` (${info.architecture})` : "";
  return [
    metadata?.name ?? "",
    `${ready === undefined ? "Unknown" : state}${spec?.unschedulable === true ? ",SchedulingDisabled" : ""}`,
    rolesOf(metadata?.labels ?? {}) || "<none>",
    ages.since(metadata?.creationTimestamp),
    info?.kubeletVersion ?? "",
    address("InternalIP"),
    address("ExternalIP"),
    info?.osImage || "<unknown>",
    `${info?.kernelVersion || "<unknown>"}${architecture}`,
    info?.containerRuntimeVersion || "<unknown>",
  ];
}

const rolePrefix = "node-role.kubernetes.io/";

/** From labels of two kinds, each once and in order. */
function rolesOf(labels: Readonly<Record<string, string | undefined>>): string {
  const roles = Object.entries(labels).map(([key, value]) => {
    if (key.startsWith(rolePrefix)) return key.slice(rolePrefix.length);
    return key === "kubernetes.io/role" ? (value ?? "") : "";
  });
  return [...new Set(roles.filter((role) => role !== ""))].toSorted().join(",");
}

function isLimit(name: string): boolean {
  return name.startsWith("limits.");
}

/** `cpu: 1/2, memory: 0/1Gi`. */
function quotaText(status: Sparse<ResourceQuota>["status"], isShown: (name: string) => boolean): string {
  const names = Object.keys(status?.hard ?? {}).filter(isShown);
  return names
    .toSorted()
    .map((name) => `${name}: ${amountText(status?.used?.[name])}/${amountText(status?.hard?.[name])}`)
    .join(", ");
}
