import {
  csiDrivers,
  csiNodes,
  csiStorageCapacities,
  persistentVolumeClaims,
  persistentVolumes,
  pods,
  provisioningAnnotations,
} from "@stowage/machinery";
import type { Scenario, Scene } from "../scenario.ts";
import {
  boundClaim,
  makeNodes,
  makePod,
  nodeName,
  onClaims,
  place,
  provision,
  reachableFrom,
  untilScheduled,
  zone,
} from "../scheduler-objects.ts";
import { ask, classOf, makeClass, offer, untilBound, untilTold } from "../storage-objects.ts";

const compares = [pods, persistentVolumeClaims, persistentVolumes];
const about = { compares, events: ["Pod"], eventCounts: false } as const;
const delayed = { volumeBindingMode: "WaitForFirstConsumer" } as const;

/** The zone `b`, which all that is chosen must be in, has less left. */
async function makeZones(scene: Scene): Promise<void> {
  await makeNodes(scene, { a: zone("a"), b: zone("b") });
  await place(scene, { heavy: { cpu: "3", memory: "4Gi", on: "b" } });
}

/** Whoever provisions begins once a node was chosen and it was asked to. */
const untilChosen = (scene: Scene, name: string) =>
  scene.until(persistentVolumeClaims, name, ({ metadata: { annotations = {} } }) =>
    [provisioningAnnotations.selectedNode, provisioningAnnotations.storageProvisioner].every(
      (key) => key in annotations,
    ),
  );

export const volumes: Scenario[] = [
  {
    name: "a Pod goes to where its volume can be reached",
    ...about,
    async run(scene) {
      await makeZones(scene);
      await boundClaim(scene, "data", "b");
      await untilBound(scene, "data");
      await place(scene, { user: onClaims("data") });
    },
  },
  {
    name: "a Pod goes to the zone that a label of its volume names",
    ...about,
    async run(scene) {
      await makeZones(scene);
      const { metadata } = await offer(scene, "data", { labels: { "topology.kubernetes.io/zone": "b" } });
      await ask(scene, "data", { volumeName: metadata.name });
      await untilBound(scene, "data");
      await place(scene, { user: onClaims("data") });
    },
  },
  {
    name: "a claim that waits gets the smallest volume of the node",
    ...about,
    async run(scene) {
      await makeZones(scene);
      await makeClass(scene, { ...delayed, provisioner: "kubernetes.io/no-provisioner" });
      await offer(scene, "large", { gib: 10, ...reachableFrom("b") });
      await offer(scene, "right", { gib: 2, ...reachableFrom("b") });
      await offer(scene, "small", { gib: 1, ...reachableFrom("a") });
      await ask(scene, "data", { gib: 2 });
      await makePod(scene, "user", onClaims("data"));
      await untilScheduled(scene, "user");
      await untilBound(scene, "data");
    },
  },
  {
    name: "two claims that wait get a volume each",
    ...about,
    async run(scene) {
      await makeZones(scene);
      await makeClass(scene, { ...delayed, provisioner: "kubernetes.io/no-provisioner" });
      await offer(scene, "large", { gib: 5, ...reachableFrom("b") });
      await offer(scene, "small", { gib: 1, ...reachableFrom("b") });
      await offer(scene, "lonely", { gib: 5, ...reachableFrom("a") });
      await ask(scene, "more", { gib: 3 });
      await ask(scene, "less");
      await makePod(scene, "user", onClaims("more", "less"));
      await untilScheduled(scene, "user");
      for (const name of ["more", "less"]) await untilBound(scene, name);
    },
  },
  {
    name: "a volume is made for the node that was chosen",
    ...about,
    async run(scene) {
      await makeZones(scene);
      const topology = [{ matchLabelExpressions: [{ key: "topology.kubernetes.io/zone", values: ["b"] }] }];
      await makeClass(scene, { ...delayed, allowedTopologies: topology });
      await ask(scene, "data");
      await makePod(scene, "user", onClaims("data"));
      await untilChosen(scene, "data");
      await provision(scene, "data", "b");
      await untilScheduled(scene, "user");
      await untilBound(scene, "data");
    },
  },
  {
    name: "a node is chosen anew when no volume could be made",
    ...about,
    async run(scene) {
      await makeZones(scene);
      const topology = [{ matchLabelExpressions: [{ key: "topology.kubernetes.io/zone", values: ["b"] }] }];
      await makeClass(scene, { ...delayed, allowedTopologies: topology });
      await ask(scene, "data");
      await makePod(scene, "user", onClaims("data"));
      await untilChosen(scene, "data");
      const annotations = { "volume.kubernetes.io/selected-node": null };
      await scene.patch(persistentVolumeClaims, "data", { metadata: { annotations } });
      await untilTold(scene, "FailedScheduling");
      await untilChosen(scene, "data");
      await provision(scene, "data", "b");
      await untilScheduled(scene, "user");
      await untilBound(scene, "data");
    },
  },
  {
    name: "a volume is made where there is room for it",
    ...about,
    async run(scene) {
      await makeZones(scene);
      await makeClass(scene, delayed);
      await scene.create(csiDrivers, { metadata: { name: `csi-${scene.id}` }, spec: { storageCapacity: true } });
      for (const [name, capacity] of Object.entries({ a: "1Gi", b: "10Gi" })) {
        await scene.create(csiStorageCapacities, {
          metadata: { name: `room-${name}` },
          storageClassName: classOf(scene),
          capacity,
          nodeTopology: { matchLabels: { "topology.kubernetes.io/zone": name } },
        });
      }
      await ask(scene, "data", { gib: 5 });
      await makePod(scene, "user", onClaims("data"));
      await untilChosen(scene, "data");
      await provision(scene, "data", "b", 5);
      await untilScheduled(scene, "user");
    },
  },
  {
    name: "a node takes no more volumes of a driver than it can",
    ...about,
    async run(scene) {
      await makeNodes(scene, { one: {}, two: {} });
      const drivers = [{ name: `csi-${scene.id}`, nodeID: "one", allocatable: { count: 1 }, topologyKeys: null }];
      await scene.create(csiNodes, { metadata: { name: nodeName(scene, "one") }, spec: { drivers } as never });
      for (const name of ["first", "second"]) {
        await boundClaim(scene, name);
        await untilBound(scene, name);
      }
      await place(scene, {
        first: { ...onClaims("first"), on: "one" },
        heavy: { cpu: "3", memory: "4Gi", on: "two" },
        second: onClaims("second"),
        again: { ...onClaims("first"), on: "one" },
      });
    },
  },
];
