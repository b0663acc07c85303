import type { Node, PersistentVolumeClaim, Pod } from "@stowage/machinery";
import { claimNameOf } from "../../storage/pod-volumes.ts";
import { nodeFilters } from "../filters/index.ts";
import { nodeState } from "../snapshot/node-state.ts";
import { bareSnapshot } from "../snapshot/snapshot.ts";

/** Something that changed in the cluster. */
export type News =
  | { readonly what: "node"; readonly node: Node }
  | { readonly what: "claim"; readonly claim: PersistentVolumeClaim }
  | {
      readonly what:
        | "pod gone"
        | "pod placed"
        | "volume"
        | "class"
        | "driver"
        | "node driver"
        | "capacity"
        | "detached";
    };

/** What may help a Pod that a filter has refused. */
const helpful: Readonly<Record<string, readonly News["what"][]>> = {
  NodeUnschedulable: ["node"],
  NodeName: ["node"],
  TaintToleration: ["node"],
  NodeAffinity: ["node"],
  NodePorts: ["node", "pod gone"],
  NodeResourcesFit: ["node", "pod gone"],
  VolumeRestrictions: ["pod gone", "claim"],
  NodeVolumeLimits: ["node driver", "pod gone", "claim", "detached"],
  VolumeBinding: ["node", "claim", "volume", "class", "driver", "node driver", "capacity"],
  VolumeZone: ["node", "claim", "volume", "class"],
  PodTopologySpread: ["node", "pod gone", "pod placed"],
  InterPodAffinity: ["node", "pod gone", "pod placed"],
};

/** Whether a Pod that these filters refused is to be looked at again. */
export function mayHelp(news: News, pod: Pod, filters: ReadonlySet<string>): boolean {
  // Without a filter it was something that went wrong, or that there was no node at all.
  if (filters.size > 0 && ![...filters].some((name) => helpful[name]?.includes(news.what))) return false;
  if (news.what === "node") return isPromising(news.node, pod);
  return news.what !== "claim" || isOf(news.claim, pod);
}

/** Whether the Pod could go to the node if nothing else were there. */
function isPromising(node: Node, pod: Pod): boolean {
  const state = nodeState(node, []);
  const alone = bareSnapshot([state]);
  return nodeFilters.every((filter) => {
    const prepared = filter.prepare(pod, alone);
    return prepared?.refusal === undefined && prepared?.check?.(state) === undefined;
  });
}

function isOf({ metadata }: PersistentVolumeClaim, pod: Pod): boolean {
  const { namespace, name = "" } = pod.metadata;
  if (metadata.namespace !== namespace) return false;
  return (pod.spec?.volumes ?? []).some((volume) => claimNameOf(name, volume) === metadata.name);
}

/** Whether a change of the node can matter to a Pod; kubelet's heartbeats do not. */
export function isChanged(node: Node, before: Node): boolean {
  const partsOf = ({ metadata, spec, status }: Node) =>
    JSON.stringify([metadata.labels, spec?.taints, spec?.unschedulable, status?.allocatable]);
  return partsOf(node) !== partsOf(before);
}
