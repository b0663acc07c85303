import { type PodSpec, pods, type Taint, type TopologySpreadConstraint } from "@stowage/machinery";
import type { Scenario } from "../scenario.ts";
import { makeNodes, makePod, place, untilScheduled, zone } from "../scheduler-objects.ts";

const about = { compares: [pods], events: ["Pod"], eventCounts: false } as const;

const image = "example.org/main:1";
const required = (...terms: object[]) => ({ requiredDuringSchedulingIgnoredDuringExecution: terms }) as never;
const preferred = (...terms: object[]) => ({ preferredDuringSchedulingIgnoredDuringExecution: terms }) as never;
const near = (app: string, topologyKey = "kubernetes.io/hostname") => ({
  labelSelector: { matchLabels: { app } },
  topologyKey,
});
type Action = TopologySpreadConstraint["whenUnsatisfiable"];
const spread = (whenUnsatisfiable: Action): { topologySpreadConstraints: TopologySpreadConstraint[] } => ({
  topologySpreadConstraints: [
    {
      maxSkew: 1,
      topologyKey: "topology.kubernetes.io/zone",
      whenUnsatisfiable,
      labelSelector: { matchLabels: { app: "web" } },
    },
  ],
});
const onPort = (hostPort: number): Pick<PodSpec, "containers"> => ({
  containers: [{ name: "main", image, ports: [{ containerPort: 80, hostPort }] }],
});
const web = { labels: { app: "web" } };

/** Which of several nodes a Pod goes to. */
export const choices: Scenario[] = [
  {
    name: "a Pod goes to the node that has most left",
    ...about,
    async run(scene) {
      await makeNodes(scene, { one: {}, two: {}, three: {} });
      await place(scene, {
        first: { cpu: "2", memory: "4Gi", on: "one" },
        second: { cpu: "1", memory: "2Gi", on: "three" },
        third: { cpu: "1", memory: "2Gi" },
      });
    },
  },
  {
    name: "a Pod goes where it prefers to",
    ...about,
    async run(scene) {
      await makeNodes(scene, { one: {}, two: { labels: { disk: "fast" } }, three: {} });
      const matchExpressions = [{ key: "disk", operator: "In", values: ["fast"] }];
      const nodeAffinity = preferred({ weight: 10, preference: { matchExpressions } });
      await place(scene, { heavy: { cpu: "2", memory: "4Gi", on: "two" }, fast: { affinity: { nodeAffinity } } });
    },
  },
  {
    name: "a Pod avoids a node that prefers not to have it",
    ...about,
    async run(scene) {
      const taints: Taint[] = [{ key: "slow", value: "x", effect: "PreferNoSchedule" }];
      await makeNodes(scene, { one: { taints }, two: {} });
      await place(scene, { heavy: { cpu: "1", memory: "2Gi", on: "two" }, light: {} });
    },
  },
  {
    name: "Pods are spread over zones",
    ...about,
    async run(scene) {
      await makeNodes(scene, { a: zone("a"), b: zone("b"), c: zone("c") });
      await place(scene, {
        first: { ...web, on: "a" },
        second: { ...web, on: "b" },
        heavy: { cpu: "3", on: "c" },
        third: { ...web, ...spread("DoNotSchedule") },
      });
    },
  },
  {
    name: "Pods are spread over zones as far as that goes",
    ...about,
    async run(scene) {
      await makeNodes(scene, { a: zone("a"), b: zone("b"), c: zone("c") });
      await place(scene, {
        first: { ...web, on: "a" },
        second: { ...web, on: "b" },
        third: { ...web, ...spread("ScheduleAnyway") },
      });
    },
  },
  {
    name: "a Pod keeps away from another",
    ...about,
    async run(scene) {
      await makeNodes(scene, { one: {}, two: {} });
      await place(scene, {
        first: { ...web, on: "one" },
        heavy: { cpu: "3", on: "two" },
        second: { affinity: { podAntiAffinity: required(near("web")) } },
      });
    },
  },
  {
    name: "a Pod keeps others away",
    ...about,
    async run(scene) {
      await makeNodes(scene, { one: {}, two: {} });
      await place(scene, {
        first: { affinity: { podAntiAffinity: required(near("web")) }, on: "one" },
        heavy: { cpu: "3", on: "two" },
        second: web,
      });
    },
  },
  {
    name: "a Pod goes to the zone of another",
    ...about,
    async run(scene) {
      await makeNodes(scene, { one: zone("a"), two: zone("b") });
      await place(scene, {
        first: { ...web, cpu: "3", on: "one" },
        second: { affinity: { podAffinity: required(near("web", "topology.kubernetes.io/zone")) } },
      });
    },
  },
  {
    name: "the first of Pods that want to be together goes anywhere",
    ...about,
    async run(scene) {
      await makeNodes(scene, { one: zone("a") });
      const podAffinity = required(near("web", "topology.kubernetes.io/zone"));
      await place(scene, {
        first: { ...web, affinity: { podAffinity } },
        second: { ...web, affinity: { podAffinity } },
      });
    },
  },
  {
    name: "a Pod prefers the node of another",
    ...about,
    async run(scene) {
      await makeNodes(scene, { one: {}, two: {}, three: {} });
      const podAffinity = preferred({ weight: 100, podAffinityTerm: near("web") });
      await place(scene, {
        first: { ...web, cpu: "1", memory: "2Gi", on: "two" },
        second: { affinity: { podAffinity } },
      });
    },
  },
  {
    name: "a Pod goes to where its port is free",
    ...about,
    async run(scene) {
      await makeNodes(scene, { one: {}, two: {} });
      await place(scene, {
        first: { ...onPort(8080), on: "one" },
        heavy: { cpu: "3", on: "two" },
        second: onPort(8080),
      });
    },
  },
  {
    name: "init containers and sidecars count as they run",
    ...about,
    async run(scene) {
      await makeNodes(scene, { small: { cpu: "2" }, large: { cpu: "4" } });
      await place(scene, { heavy: { cpu: "1900m", on: "large" } });
      const container = (name: string, cpu: string) => ({ name, image, resources: { requests: { cpu } } });
      const sidecar = { ...container("side", "500m"), restartPolicy: "Always" };
      // 500m + 1600m at once; the second does not fit the small one.
      await place(scene, {
        second: { initContainers: [sidecar, container("prepare", "1600m")], containers: [container("main", "100m")] },
      });
    },
  },
  {
    name: "a Pod with a gate waits until it is lifted",
    ...about,
    async run(scene) {
      await makeNodes(scene, { one: {} });
      await makePod(scene, "gated", { schedulingGates: [{ name: "example.org/wait" }] });
      await place(scene, { other: {} });
      await scene.patch(pods, "gated", { spec: { schedulingGates: null } });
      await untilScheduled(scene, "gated");
    },
  },
];
