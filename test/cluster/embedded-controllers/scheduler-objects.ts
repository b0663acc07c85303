import {
  events,
  findCondition,
  type NodeSelectorRequirement,
  nodes,
  type Pod,
  type PodSpec,
  persistentVolumeClaims,
  persistentVolumes,
  pods,
  type Taint,
  type VolumeNodeAffinity,
} from "@stowage/machinery";
import type { Scene } from "./scenario.ts";
import { ask, untilTold, volume } from "./storage-objects.ts";

const SCENE = "scene";
const PROBE = "probe";

export const nodeName = ({ id }: Scene, name: string): string => `${name}-${id}`;

export interface NodeShape {
  readonly cpu?: string;
  readonly memory?: string;
  readonly podCount?: string;
  /** Besides cpu, memory and pods. */
  readonly resources?: Record<string, string>;
  readonly labels?: Record<string, string>;
  readonly taints?: readonly Taint[];
  readonly isCordoned?: boolean;
}

/** A node that is well. Only Pods of its scenario tolerate it. The scheduler may not know it yet. */
export async function makeNode(scene: Scene, name: string, shape: NodeShape = {}): Promise<void> {
  const { cpu = "4", memory = "8Gi", podCount = "110", resources = {}, labels = {}, isCordoned = false } = shape;
  const fullName = nodeName(scene, name);
  const taints: Taint[] = [{ key: SCENE, value: scene.id, effect: "NoSchedule" }, ...(shape.taints ?? [])];
  const offered = { cpu, memory, pods: podCount, "ephemeral-storage": "10Gi", ...resources };
  const heartbeat = new Date().toISOString().replace(/\.\d+Z$/u, "Z");
  const ready = { type: "Ready", status: "True", reason: "KubeletReady", lastHeartbeatTime: heartbeat };
  await scene.create(nodes, {
    metadata: { name: fullName, labels: { [SCENE]: scene.id, "kubernetes.io/hostname": fullName, ...labels } },
    spec: { taints, ...(isCordoned && { unschedulable: true }) },
    status: {
      capacity: offered,
      allocatable: offered,
      conditions: [{ ...ready, lastTransitionTime: heartbeat }],
    },
  });
}

/**
 * Makes the nodes, and waits until the scheduler knows all of them: it hears of Pods and of nodes by different ways, and would have no
 * node for a Pod that it hears of first.
 */
export async function makeNodes(scene: Scene, shapes: Readonly<Record<string, NodeShape>>): Promise<void> {
  for (const [name, shape] of Object.entries(shapes)) await makeNode(scene, name, shape);
  const { namespace, client } = scene;
  await makePod(scene, PROBE, { on: Object.keys(shapes).at(-1), tolerations: [{ operator: "Exists" }] });
  await untilScheduled(scene, PROBE);
  await untilTold(scene, "Scheduled");
  await client.delete(pods, { namespace, name: PROBE }, { gracePeriodSeconds: 0 });
  await client.deleteCollection(events, { namespace });
}

/** Waits until the nodes of all others are gone: a Pod that finds none says how many there are. */
export async function untilAlone(scene: Scene): Promise<void> {
  await scene.untilAll(nodes, (all) => all.every(({ metadata }) => metadata.name?.endsWith(scene.id)));
}

export interface PodShape extends Partial<PodSpec> {
  readonly cpu?: string;
  readonly memory?: string;
  readonly labels?: Record<string, string>;
  /** By the short name: the one node that it may go to. */
  readonly on?: string;
}

/** A Pod that only the nodes of its scenario are meant for. */
export async function makePod(scene: Scene, name: string, shape: PodShape = {}): Promise<Pod> {
  const { cpu = "100m", memory = "100Mi", labels = {}, on, nodeSelector = {}, tolerations = [], ...spec } = shape;
  const requests = { cpu, memory };
  const here: Record<string, string> = on === undefined ? {} : { "kubernetes.io/hostname": nodeName(scene, on) };
  return await scene.create(pods, {
    metadata: { name, labels },
    spec: {
      containers: [{ name: "main", image: "example.org/main:1", resources: { requests } }],
      ...spec,
      nodeSelector: { [SCENE]: scene.id, ...here, ...nodeSelector },
      tolerations: [
        { key: SCENE, operator: "Equal", value: scene.id, effect: "NoSchedule" },
        // Nodes have it until somebody has seen that they are ready.
        { key: "node.kubernetes.io/not-ready", operator: "Exists", effect: "NoSchedule" },
        ...tolerations,
      ],
    },
  });
}

export async function untilScheduled(scene: Scene, ...names: readonly string[]): Promise<void> {
  for (const name of names) await scene.until(pods, name, ({ spec }) => (spec?.nodeName ?? "") !== "");
}

/** Waits until the scheduler has said that there is no node for it. */
export async function untilRefused(scene: Scene, name: string): Promise<Pod> {
  return await scene.until(
    pods,
    name,
    ({ status }) => findCondition(status?.conditions, "PodScheduled")?.reason === "Unschedulable",
  );
}

/** Creates Pods one after the other, each once the one before has its node: the choice of one hangs on those before. */
export async function place(scene: Scene, shapes: Readonly<Record<string, PodShape>>): Promise<void> {
  for (const [name, shape] of Object.entries(shapes)) {
    await makePod(scene, name, shape);
    await untilScheduled(scene, name);
  }
}

export const zone = (name: string) => ({ labels: { "topology.kubernetes.io/zone": name } });

export const onClaims = (...names: readonly string[]): Pick<PodSpec, "volumes"> => ({
  volumes: names.map((name) => ({ name, persistentVolumeClaim: { claimName: name } })),
});

/** Of a volume that can be reached from the zone alone. */
export const reachableFrom = (name: string): { nodeAffinity: VolumeNodeAffinity } => {
  const matchExpressions: NodeSelectorRequirement[] = [
    { key: "topology.kubernetes.io/zone", operator: "In", values: [name] },
  ];
  return { nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions }] } } };
};

/** Does what a provisioner does for a claim that has a node: makes a volume for it. */
export async function provision(scene: Scene, claimName: string, zoneName: string, gib = 1): Promise<void> {
  const { metadata } = await scene.get(persistentVolumeClaims, claimName);
  const { namespace, name, uid } = metadata;
  const claimRef = { apiVersion: "v1", kind: "PersistentVolumeClaim", namespace, name, uid };
  await scene.create(persistentVolumes, volume(scene, claimName, { gib, claimRef, ...reachableFrom(zoneName) }));
}

/** A claim with its volume, bound; the volume can be reached from the zone alone, when one is named. */
export async function boundClaim(scene: Scene, name: string, zoneName?: string): Promise<void> {
  const where = zoneName === undefined ? {} : reachableFrom(zoneName);
  const { metadata } = await scene.create(persistentVolumes, volume(scene, name, where));
  await ask(scene, name, { volumeName: metadata.name });
}
