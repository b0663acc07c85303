import {
  type Affinity,
  findCondition,
  type PodSpec,
  persistentVolumeClaims,
  pods,
  type Taint,
  type TopologySpreadConstraint,
} from "@stowage/machinery";
import type { Scenario } from "../scenario.ts";
import {
  makeNode,
  makeNodes,
  makePod,
  onClaims,
  type PodShape,
  place,
  untilAlone,
  untilRefused,
  untilScheduled,
  zone,
} from "../scheduler-objects.ts";
import { ask, makeClass, offer, untilBound, volumeName } from "../storage-objects.ts";

/** The message counts all nodes of the cluster, so that there must be no others. */
const told = { compares: [pods], events: ["Pod"], eventCounts: false, alone: true } as const;

const image = "example.org/main:1";
const onPort = (hostPort: number): Pick<PodSpec, "containers"> => ({
  containers: [{ name: "main", image, ports: [{ containerPort: 80, hostPort }] }],
});
const required = (...terms: object[]) => ({ requiredDuringSchedulingIgnoredDuringExecution: terms }) as never;
const near = (app: string) => ({ labelSelector: { matchLabels: { app } }, topologyKey: "kubernetes.io/hostname" });
const spread = (topologyKey: string): TopologySpreadConstraint => ({
  maxSkew: 1,
  topologyKey,
  whenUnsatisfiable: "DoNotSchedule",
  labelSelector: { matchLabels: { app: "spread" } },
});
const nodeTerm = (key: string, ...values: string[]): Affinity => ({
  nodeAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: {
      nodeSelectorTerms: [{ matchExpressions: [{ key, operator: "In", values }] }],
    },
  },
});

const refused: Readonly<Record<string, PodShape>> = {
  "too-much-cpu": { cpu: "100" },
  "too-much-memory": { memory: "100Gi" },
  "too-much-of-both": { cpu: "100", memory: "100Gi" },
  "cpu-that-is-taken": { cpu: "1800m" },
  "unknown-resource": {
    containers: [{ name: "main", image, resources: { limits: { "example.org/gpu": "1" } } }],
  },
  "other-labels": { nodeSelector: { disk: "fast" } },
  "other-zone": { affinity: nodeTerm("topology.kubernetes.io/zone", "moon") },
  "taken-port": onPort(8080),
  "apart-from-one": { affinity: { podAntiAffinity: required(near("settled")) } },
  "near-nobody": { affinity: { podAffinity: required(near("nobody")) } },
  "not-welcome": { labels: { app: "noise" } },
  "spread-by-unknown": { topologySpreadConstraints: [spread("example.org/rack")], labels: { app: "spread" } },
  "no-claim": onClaims("absent"),
};

export const reasons: Scenario[] = [
  {
    name: "a Pod says why no node is right for it",
    ...told,
    async run(scene) {
      const taints: Taint[] = [{ key: "node.kubernetes.io/unschedulable", effect: "NoSchedule" }];
      await untilAlone(scene);
      await makeNodes(scene, {
        special: { taints: [{ key: "own", value: "x", effect: "NoSchedule" }] },
        cordoned: { isCordoned: true, taints },
        plain: { cpu: "2", ...zone("a") },
      });
      const quiet = { podAntiAffinity: required(near("noise")) };
      await place(scene, {
        settled: { ...onPort(8080), labels: { app: "settled" }, affinity: quiet, cpu: "1" },
        busy: { cpu: "1" },
      });
      for (const [name, shape] of Object.entries(refused)) await makePod(scene, name, shape);
      for (const name of Object.keys(refused)) await untilRefused(scene, name);
    },
  },
  {
    name: "a Pod waits while there is no node at all",
    compares: [pods],
    alone: true,
    async run(scene) {
      await untilAlone(scene);
      // The scheduler may still know some that are gone; nothing tells when it does not.
      for (let message = ""; !message.startsWith("no nodes available"); ) {
        await makePod(scene, "early");
        const { status } = await untilRefused(scene, "early");
        message = findCondition(status?.conditions, "PodScheduled")?.message ?? "";
        if (message.startsWith("0/")) {
          await scene.client.delete(pods, { namespace: scene.namespace, name: "early" }, { gracePeriodSeconds: 0 });
        }
      }
    },
  },
  {
    name: "a Pod that found no node goes to one that comes",
    ...told,
    async run(scene) {
      await untilAlone(scene);
      await makeNodes(scene, { small: { cpu: "1" } });
      await place(scene, { first: {} });
      await makePod(scene, "large", { cpu: "3" });
      await untilRefused(scene, "large");
      await makeNode(scene, "large");
      await untilScheduled(scene, "large");
    },
  },
  {
    name: "a Pod that found no room gets that of one that goes",
    ...told,
    async run(scene) {
      await untilAlone(scene);
      await makeNodes(scene, { small: { cpu: "1" } });
      await place(scene, { first: { cpu: "900m" } });
      await makePod(scene, "second", { cpu: "900m" });
      await untilRefused(scene, "second");
      await scene.client.delete(pods, { namespace: scene.namespace, name: "first" }, { gracePeriodSeconds: 0 });
      await untilScheduled(scene, "second");
    },
  },
  {
    name: "a Pod waits until its claim is bound",
    ...told,
    async run(scene) {
      await untilAlone(scene);
      await makeNodes(scene, { one: {} });
      await place(scene, { first: {} });
      await ask(scene, "data");
      await scene.until(persistentVolumeClaims, "data", ({ status }) => status?.phase === "Pending");
      await makePod(scene, "user", onClaims("data"));
      await untilRefused(scene, "user");
    },
  },
  {
    name: "a second Pod waits for a claim of one Pod alone",
    ...told,
    async run(scene) {
      const accessModes: ["ReadWriteOncePod"] = ["ReadWriteOncePod"];
      await untilAlone(scene);
      await makeNodes(scene, { one: {} });
      await offer(scene, "data", { accessModes });
      await ask(scene, "data", { accessModes, volumeName: volumeName(scene, "data") });
      await untilBound(scene, "data");
      await place(scene, { first: onClaims("data") });
      await makePod(scene, "second", onClaims("data"));
      await untilRefused(scene, "second");
    },
  },
  {
    name: "a Pod finds no volume that it could wait for",
    ...told,
    async run(scene) {
      await untilAlone(scene);
      await makeNodes(scene, { one: {} });
      await place(scene, { first: {} });
      await makeClass(scene, {
        provisioner: "kubernetes.io/no-provisioner",
        volumeBindingMode: "WaitForFirstConsumer",
      });
      await ask(scene, "data");
      await makePod(scene, "user", onClaims("data"));
      await untilRefused(scene, "user");
    },
  },
];
