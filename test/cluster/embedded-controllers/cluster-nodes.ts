import type { NewObject } from "@stowage/kube";
import { formatTime, type Node, nodes, type Taint } from "@stowage/machinery";
import type { Scene } from "./scenario.ts";

const TTL = "node.alpha.kubernetes.io/ttl";

interface NodeShape {
  readonly ready?: "True" | "False" | "Unknown";
  readonly taints?: Taint[];
  readonly labels?: Record<string, string>;
  readonly unschedulable?: boolean;
}

/** In a zone of its own, with one more that is ready: what becomes of a zone depends on all its nodes. */
export async function makeNodes(scene: Scene, shape: NodeShape = {}): Promise<string> {
  await makeNode(scene, "other", {});
  const name = await makeNode(scene, "node", shape);
  await scene.until(nodes, name, ({ metadata }) => metadata.annotations?.[TTL] !== undefined);
  return name;
}

async function makeNode(scene: Scene, prefix: string, shape: NodeShape): Promise<string> {
  const { ready = "True", taints, labels, unschedulable } = shape;
  const name = `${prefix}-${scene.id}`;
  const zone = { "topology.kubernetes.io/zone": scene.id };
  // Out of bounds for the Pods of others.
  const own = { key: `example.org/${scene.id.slice(-40)}`, effect: "NoSchedule" } as const;
  const node: NewObject<Node> = {
    metadata: { name, labels: { ...zone, ...labels } },
    spec: { taints: [own, ...(taints ?? [])], unschedulable },
  };
  await scene.create(nodes, node);
  await sayCondition(scene, name, "Ready", ready);
  return name;
}

export async function sayCondition(scene: Scene, name: string, type: string, status: string): Promise<void> {
  const time = formatTime(Date.now());
  const { status: before } = await scene.get(nodes, name);
  const others = (before?.conditions ?? []).filter((each) => each.type !== type);
  const condition = { type, status, reason: "Said", message: "", lastHeartbeatTime: time, lastTransitionTime: time };
  await scene.patchStatus(nodes, name, { conditions: [...others, condition] });
}

export const hasTaint = (key: string, effect: string) => (node: Node) =>
  (node.spec?.taints ?? []).some((taint) => taint.key === `node.kubernetes.io/${key}` && taint.effect === effect);
