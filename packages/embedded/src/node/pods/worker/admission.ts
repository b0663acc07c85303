import { type KubeClient } from "@stowage/kube";
import { nodes, type Pod } from "@stowage/machinery";
import { isNodeMeant } from "../../../controllers/kit/index.ts";
import { amountOf, amountsFrom, sumOf } from "../../../controllers/scheduler/snapshot/amounts.ts";
import { requestsOf } from "../../../controllers/scheduler/snapshot/pod-requests.ts";
import type { PodFailure } from "../status/pod-failure.ts";

export interface AdmissionDeps {
  readonly client: KubeClient;
  readonly nodeName: string;
  /** What the node has to give, by the names of resources. */
  readonly allocatable: Readonly<Record<string, string>>;
}

/**
 * Why a Pod cannot be on the node, whoever has put it there; undefined when it can. `others` are the Pods of the node that still need what
 * they ask for.
 */
export async function refusalOf(
  { client, nodeName, allocatable }: AdmissionDeps,
  pod: Pod,
  others: readonly Pod[],
): Promise<PodFailure | undefined> {
  const shortage = shortageOf(pod, others, allocatable);
  if (shortage !== undefined) return shortage;
  const { nodeSelector, affinity } = pod.spec ?? {};
  if (nodeSelector === undefined && affinity?.nodeAffinity === undefined) return undefined;
  const node = await client.find(nodes, { name: nodeName });
  if (node === undefined || isNodeMeant(pod.spec ?? { containers: [] }, node)) return undefined;
  const why = "node(s) didn't match Pod's node affinity/selector";
  return { reason: "NodeAffinity", message: `Predicate NodeAffinity failed: ${why}` };
}

/** The node may not say how much it has of everything. */
function shortageOf(
  pod: Pod,
  others: readonly Pod[],
  allocatable: AdmissionDeps["allocatable"],
): PodFailure | undefined {
  const capacity = amountsFrom(allocatable);
  const used = sumOf(others.map((each) => requestsOf(each).requested));
  for (const [name, wanted] of requestsOf(pod).requested) {
    if (wanted === 0n || !capacity.has(name)) continue;
    const has = amountOf(capacity, name);
    const taken = amountOf(used, name);
    if (wanted <= has - taken) continue;
    const amounts = `requested: ${wanted}, used: ${taken}, capacity: ${has}`;
    return { reason: `OutOf${name}`, message: `Node didn't have enough resource: ${name}, ${amounts}` };
  }
  return undefined;
}
