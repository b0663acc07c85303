import type { ContainerPort, Pod, Taint } from "@stowage/machinery";
import { isNodeMeant, isTolerated, untoleratedTaint } from "../../kit/index.ts";
import { type Filter, simpleFilter } from "./filter.ts";

const unschedulable: Taint = { key: "node.kubernetes.io/unschedulable", effect: "NoSchedule" };

export const nodeUnschedulable = simpleFilter("NodeUnschedulable", ({ spec }, { node }) => {
  if (node.spec?.unschedulable !== true || isTolerated(unschedulable, spec?.tolerations ?? [])) return undefined;
  return "node(s) were unschedulable";
});

export const nodeName = simpleFilter("NodeName", ({ spec }, { name }) =>
  (spec?.nodeName ?? "") === "" || spec?.nodeName === name ? undefined : "node(s) didn't match the requested node name",
);

export const taintToleration = simpleFilter("TaintToleration", ({ spec }, { node }) => {
  const taint = untoleratedTaint(node.spec?.taints, spec?.tolerations, ["NoSchedule", "NoExecute"]);
  return taint && "node(s) had untolerated taint(s)";
});

const affinityName = "NodeAffinity";

export const nodeAffinity: Filter = {
  name: affinityName,
  prepare(pod) {
    const refused = (reason: string) => ({ filter: affinityName, reasons: [reason], isFinal: true });
    const onlyNodes = namedNodes(pod);
    if (onlyNodes?.size === 0) return { refusal: refused("pod affinity terms conflict") };
    return {
      onlyNodes,
      check: ({ node }) =>
        isNodeMeant(pod.spec ?? { containers: [] }, node)
          ? undefined
          : refused("node(s) didn't match Pod's node affinity/selector"),
    };
  },
};

/** The only nodes that the Pod may go to by their names, as Pods of DaemonSets have it; undefined when not all terms name some. */
function namedNodes({ spec }: Pod): ReadonlySet<string> | undefined {
  const required = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const terms = required?.nodeSelectorTerms ?? [];
  const names = terms.map(({ matchFields = [] }) =>
    matchFields
      .filter(({ key, operator }) => key === "metadata.name" && operator === "In")
      .map(({ values = [] }) => new Set(values))
      .reduce<Set<string> | undefined>((known, more) => known?.intersection(more) ?? more, undefined),
  );
  if (names.length === 0 || names.includes(undefined)) return undefined;
  return names.reduce<Set<string>>((all, some) => all.union(some ?? new Set()), new Set());
}

const portsName = "NodePorts";

export const nodePorts: Filter = {
  name: portsName,
  prepare(pod) {
    const wanted = hostPortsOf(pod);
    if (wanted.length === 0) return undefined;
    const refusal = {
      filter: portsName,
      reasons: ["node(s) didn't have free ports for the requested pod ports"],
      isFinal: false,
    };
    return {
      check: ({ pods }) =>
        pods.flatMap(hostPortsOf).some((used) => wanted.some((port) => isSamePort(port, used))) ? refusal : undefined,
    };
  },
};

/** Containers that run at once, and init containers that go on running. */
function hostPortsOf({ spec }: Pod): ContainerPort[] {
  const staying = (spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === "Always");
  return [...staying, ...(spec?.containers ?? [])]
    .flatMap(({ ports = [] }) => ports)
    .filter(({ hostPort = 0 }) => hostPort > 0);
}

const EVERY_ADDRESS = "0.0.0.0";

function isSamePort(a: ContainerPort, b: ContainerPort): boolean {
  if (a.hostPort !== b.hostPort || (a.protocol ?? "TCP") !== (b.protocol ?? "TCP")) return false;
  const [own, other] = [a.hostIP || EVERY_ADDRESS, b.hostIP || EVERY_ADDRESS];
  return own === other || own === EVERY_ADDRESS || other === EVERY_ADDRESS;
}
