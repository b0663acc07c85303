import { formatTime, type Node, type NodeCondition, type NodeStatus } from "@stowage/machinery";
import type { MachineFacts } from "./machine-facts.ts";

/** What the agent says of itself. */
export interface AgentFacts {
  readonly name: string;
  readonly addresses: readonly string[];
  /** Where logs and the like are asked for. */
  readonly port: number;
  readonly version: string;
  readonly labels: Readonly<Record<string, string>>;
  /** As cloud providers name nodes: `local://node-1`. */
  readonly providerId?: string;
}

const MAXIMUM_PODS = "110";

/** The Node as it is registered. */
export function desiredNode(agent: AgentFacts, machine: MachineFacts, nowMs: number): Node {
  const { architecture } = machine;
  return {
    apiVersion: "v1",
    kind: "Node",
    metadata: {
      name: agent.name,
      labels: {
        "beta.kubernetes.io/arch": architecture,
        "beta.kubernetes.io/os": "linux",
        "kubernetes.io/arch": architecture,
        "kubernetes.io/hostname": agent.name,
        "kubernetes.io/os": "linux",
        ...agent.labels,
      },
      annotations: { "volumes.kubernetes.io/controller-managed-attach-detach": "true" },
    },
    ...(agent.providerId !== undefined && { spec: { providerID: agent.providerId } }),
    status: desiredNodeStatus(agent, machine, { conditions: desiredConditions([], undefined, nowMs) }),
  };
}

/** All but what others write into it: volumes, images. */
export function desiredNodeStatus(
  { name, addresses, port, version }: AgentFacts,
  machine: MachineFacts,
  { conditions }: { readonly conditions: NodeCondition[] },
): NodeStatus {
  const amounts = {
    cpu: String(machine.cpus),
    "ephemeral-storage": kibibytes(machine.storageBytes),
    memory: kibibytes(machine.memoryBytes),
    pods: MAXIMUM_PODS,
  };
  return {
    addresses: [...addresses.map((address) => ({ type: "InternalIP", address })), { type: "Hostname", address: name }],
    capacity: amounts,
    allocatable: amounts,
    conditions,
    daemonEndpoints: { kubeletEndpoint: { Port: port } },
    nodeInfo: {
      architecture: machine.architecture,
      bootID: machine.bootId,
      containerRuntimeVersion: `stowage://${version}`,
      kernelVersion: machine.kernelVersion,
      kubeProxyVersion: "",
      kubeletVersion: version,
      machineID: machine.machineId,
      operatingSystem: "linux",
      osImage: machine.osImage,
      systemUUID: machine.machineId,
    },
  };
}

function kibibytes(bytes: bigint): string {
  return `${bytes / 1024n}Ki`;
}

type ConditionRow = readonly [type: string, status: "True" | "False", reason: string, message: string];

const healthy: readonly ConditionRow[] = [
  ["MemoryPressure", "False", "KubeletHasSufficientMemory", "kubelet has sufficient memory available"],
  ["DiskPressure", "False", "KubeletHasNoDiskPressure", "kubelet has no disk pressure"],
  ["PIDPressure", "False", "KubeletHasSufficientPID", "kubelet has sufficient PID available"],
];

/** `notReady` is why, when it is not. Times of change are kept where nothing changes. */
export function desiredConditions(
  current: readonly NodeCondition[],
  notReady: string | undefined,
  nowMs: number,
): NodeCondition[] {
  const ready: ConditionRow =
    notReady === undefined
      ? ["Ready", "True", "KubeletReady", "kubelet is posting ready status"]
      : ["Ready", "False", "KubeletNotReady", notReady];
  const now = formatTime(nowMs);
  return [...healthy, ready].map(([type, status, reason, message]) => {
    const before = current.find((each) => each.type === type);
    const isSame = before?.status === status;
    const lastTransitionTime = isSame ? (before.lastTransitionTime ?? now) : now;
    return { type, status, reason, message, lastHeartbeatTime: now, lastTransitionTime };
  });
}

/** Whether a status says something new; that the agent lives is told by its lease. */
export function isNewStatus(current: NodeStatus | undefined, desired: NodeStatus): boolean {
  return JSON.stringify(told(current ?? {})) !== JSON.stringify(told(desired));
}

function told(status: NodeStatus): unknown {
  const conditions = (status.conditions ?? []).map((each) => inOrder({ ...each, lastHeartbeatTime: "" }));
  const { addresses, capacity, allocatable, nodeInfo, daemonEndpoints } = status;
  return [
    addresses?.map(({ type, address }) => [type, address]),
    [capacity, allocatable, nodeInfo].map((part) => inOrder(part ?? {})),
    daemonEndpoints?.kubeletEndpoint?.Port,
    conditions,
  ];
}

function inOrder(fields: object): [string, unknown][] {
  return Object.entries(fields).toSorted(([a], [b]) => (a < b ? -1 : 1));
}
