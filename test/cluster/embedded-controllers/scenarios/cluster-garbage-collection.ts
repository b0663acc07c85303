import { setTimeout as sleep } from "node:timers/promises";
import {
  clusterRoles,
  configMaps,
  customResourceDefinitions,
  deployments,
  type KubernetesObject,
  namespaces,
  pods,
  type ResourceType,
  replicaSets,
} from "@stowage/machinery";
import { untilServed } from "../../embedded-scenarios/admission.ts";
import { map, note, ownedBy } from "../cluster-objects.ts";
import type { Scenario, Scene } from "../scenario.ts";
import { untilTold } from "../storage-objects.ts";
import { deployment, isRolledOut } from "../workload-objects.ts";

const compares = [configMaps];
const kept = { finalizers: ["example.org/kept"] };
const nobody = { apiVersion: "v1", kind: "ConfigMap", name: "nobody", uid: "00000000-0000-4000-8000-000000000000" };

type Policy = "Orphan" | "Background" | "Foreground";

async function removeMap({ client, namespace }: Scene, name: string, propagationPolicy: Policy): Promise<void> {
  await client.delete(configMaps, { namespace, name }, { propagationPolicy });
}

async function release(scene: Scene, ...names: readonly string[]): Promise<void> {
  for (const name of names) await scene.patch(configMaps, name, { metadata: { finalizers: null } });
}

/** What tells how an object fares. */
function fate({ metadata }: KubernetesObject) {
  const { deletionTimestamp, finalizers, ownerReferences } = metadata;
  return { isGoing: deletionTimestamp !== undefined, finalizers, ownerReferences };
}

export const background: Scenario[] = [
  {
    name: "what the owner owned goes after it, and so on down",
    compares,
    async run(scene) {
      const owner = await scene.create(configMaps, map("owner"));
      const child = await scene.create(configMaps, map("child", { owners: [ownedBy(owner)] }));
      await scene.create(configMaps, map("grandchild", { owners: [ownedBy(child)] }));
      await scene.create(configMaps, map("stranger"));
      await scene.remove(configMaps, "owner");
      await scene.untilGone(configMaps, "grandchild");
      await scene.untilGone(configMaps, "child");
    },
  },
  {
    name: "one of two owners is enough",
    compares,
    async run(scene) {
      const first = await scene.create(configMaps, map("first"));
      const second = await scene.create(configMaps, map("second"));
      await scene.create(configMaps, map("child", { owners: [ownedBy(first), ownedBy(second)] }));
      await scene.remove(configMaps, "first");
      await scene.until(configMaps, "child", ({ metadata }) => metadata.ownerReferences?.length === 1);
    },
  },
  {
    name: "what loses both owners goes",
    compares,
    async run(scene) {
      const first = await scene.create(configMaps, map("first"));
      const second = await scene.create(configMaps, map("second"));
      await scene.create(configMaps, map("child", { owners: [ownedBy(first), ownedBy(second)] }));
      await scene.remove(configMaps, "first");
      await scene.remove(configMaps, "second");
      await scene.untilGone(configMaps, "child");
    },
  },
  {
    name: "what has an owner that never was goes",
    compares,
    async run(scene) {
      await scene.create(configMaps, map("child", { owners: [nobody] }));
      await scene.untilGone(configMaps, "child");
    },
  },
  {
    name: "an owner that is another of the same name is none",
    compares,
    async run(scene) {
      const owner = await scene.create(configMaps, map("owner"));
      const uid = nobody.uid;
      await scene.create(configMaps, map("child", { owners: [{ ...ownedBy(owner), uid }] }));
      await scene.untilGone(configMaps, "child");
    },
  },
  {
    name: "an owner under a wrong name is none",
    compares,
    async run(scene) {
      const owner = await scene.create(configMaps, map("owner"));
      await scene.create(configMaps, map("right", { owners: [ownedBy(owner)] }));
      await scene.create(configMaps, map("wrong", { owners: [ownedBy(owner, { name: "other" })] }));
      await scene.untilGone(configMaps, "wrong");
    },
  },
  {
    name: "an owner that is added and taken away again leaves the object alone",
    compares,
    async run(scene) {
      const owner = await scene.create(configMaps, map("owner"));
      await scene.create(configMaps, map("child"));
      await scene.patch(configMaps, "child", { metadata: { ownerReferences: [ownedBy(owner)] } });
      await scene.patch(configMaps, "child", { metadata: { ownerReferences: null } });
      await scene.remove(configMaps, "owner");
    },
  },
];

export const foreground: Scenario[] = [
  {
    name: "an owner waits for those that block it",
    compares,
    async run(scene) {
      const owner = await scene.create(configMaps, map("owner"));
      const blocks = { blockOwnerDeletion: true };
      await scene.create(configMaps, map("blocks", { owners: [ownedBy(owner, blocks)], ...kept }));
      await scene.create(configMaps, map("goes", { owners: [ownedBy(owner, blocks)] }));
      await removeMap(scene, "owner", "Foreground");
      await scene.untilGone(configMaps, "goes");
      const blocking = await scene.until(
        configMaps,
        "blocks",
        ({ metadata }) => metadata.deletionTimestamp !== undefined,
      );
      await note(scene, "waits", [fate(await scene.get(configMaps, "owner")), fate(blocking)]);
      await release(scene, "blocks");
      await scene.untilGone(configMaps, "owner");
    },
  },
  {
    name: "an owner does not wait for those that do not block it",
    compares,
    async run(scene) {
      const owner = await scene.create(configMaps, map("owner"));
      await scene.create(configMaps, map("child", { owners: [ownedBy(owner)], ...kept }));
      await removeMap(scene, "owner", "Foreground");
      await scene.untilGone(configMaps, "owner");
      await scene.until(configMaps, "child", ({ metadata }) => metadata.deletionTimestamp !== undefined);
      await note(scene, "child", fate(await scene.get(configMaps, "child")));
      await release(scene, "child");
      await scene.untilGone(configMaps, "child");
    },
  },
  {
    name: "one with another owner stays, and blocks no more",
    compares,
    async run(scene) {
      const blocks = { blockOwnerDeletion: true };
      const going = await scene.create(configMaps, map("going"));
      const staying = await scene.create(configMaps, map("staying"));
      await scene.create(configMaps, map("child", { owners: [ownedBy(going, blocks), ownedBy(staying, blocks)] }));
      await removeMap(scene, "going", "Foreground");
      await scene.untilGone(configMaps, "going");
    },
  },
  {
    name: "it goes down to those who depend on dependents",
    compares,
    async run(scene) {
      const blocks = { blockOwnerDeletion: true };
      const owner = await scene.create(configMaps, map("owner"));
      const child = await scene.create(configMaps, map("child", { owners: [ownedBy(owner, blocks)] }));
      await scene.create(configMaps, map("grandchild", { owners: [ownedBy(child, blocks)], ...kept }));
      await removeMap(scene, "owner", "Foreground");
      await scene.until(configMaps, "grandchild", ({ metadata }) => metadata.deletionTimestamp !== undefined);
      const all = ["owner", "child", "grandchild"].map((name) => scene.get(configMaps, name));
      await note(scene, "waits", (await Promise.all(all)).map(fate));
      await release(scene, "grandchild");
      await scene.untilGone(configMaps, "owner");
    },
  },
  {
    name: "two that own each other both go",
    compares,
    async run(scene) {
      const blocks = { blockOwnerDeletion: true };
      const first = await scene.create(configMaps, map("first"));
      const second = await scene.create(configMaps, map("second", { owners: [ownedBy(first, blocks)] }));
      await scene.patch(configMaps, "first", { metadata: { ownerReferences: [ownedBy(second, blocks)] } });
      await removeMap(scene, "first", "Foreground");
      await scene.untilGone(configMaps, "first");
      await scene.untilGone(configMaps, "second");
    },
  },
  {
    name: "a Deployment goes after its ReplicaSet and Pods",
    compares: [deployments, replicaSets, pods],
    async run(scene) {
      scene.startKubelet();
      await scene.create(deployments, deployment(2));
      await scene.until(deployments, "web", isRolledOut);
      const { client, namespace } = scene;
      await client.delete(deployments, { namespace, name: "web" }, { propagationPolicy: "Foreground" });
      await scene.untilGone(deployments, "web");
      await scene.untilAll(pods, ({ length }) => length === 0);
    },
  },
];

export const orphans: Scenario[] = [
  {
    name: "what is left behind forgets its owner",
    compares,
    async run(scene) {
      const owner = await scene.create(configMaps, map("owner"));
      const other = await scene.create(configMaps, map("other"));
      await scene.create(configMaps, map("child", { owners: [ownedBy(owner)] }));
      await scene.create(configMaps, map("shared", { owners: [ownedBy(owner), ownedBy(other)] }));
      await removeMap(scene, "owner", "Orphan");
      await scene.untilGone(configMaps, "owner");
    },
  },
  {
    name: "the ReplicaSet and Pods of a Deployment stay",
    compares: [deployments, replicaSets, pods],
    async run(scene) {
      await scene.create(deployments, deployment(1));
      await scene.untilAll(pods, ({ length }) => length === 1);
      await scene.until(deployments, "web", ({ status }) => status?.updatedReplicas === 1);
      const { client, namespace } = scene;
      await client.delete(deployments, { namespace, name: "web" }, { propagationPolicy: "Orphan" });
      await scene.untilGone(deployments, "web");
      await scene.untilAll(replicaSets, ([set]) => set?.metadata.ownerReferences === undefined);
    },
  },
];

export const misplaced: Scenario[] = [
  {
    name: "an owner in another namespace is none, which is told",
    compares,
    events: ["ConfigMap"],
    async run(scene) {
      const namespace = `second-${scene.id}`;
      await scene.create(namespaces, { metadata: { name: namespace } });
      const owner = await scene.client.create(configMaps, { metadata: { name: "owner", namespace } });
      // Both know it, and that it is there, before anybody refers to it.
      await sleep(1_000);
      await scene.create(configMaps, map("child", { owners: [ownedBy(owner)] }));
      await scene.untilGone(configMaps, "child");
      await untilTold(scene, "OwnerRefInvalidNamespace");
    },
  },
  {
    name: "what is the whole cluster's cannot belong to a namespace, and stays",
    compares: [clusterRoles],
    async run(scene) {
      const owner = await scene.create(configMaps, map("owner"));
      const name = `role-${scene.id}`;
      await scene.create(clusterRoles, { metadata: { name, ownerReferences: [ownedBy(owner)] }, rules: [] });
      await scene.remove(configMaps, "owner");
      await scene.untilGone(configMaps, "owner");
    },
  },
  {
    name: "what is the whole cluster's can own what is in a namespace",
    compares: [clusterRoles, configMaps],
    async run(scene) {
      const name = `role-${scene.id}`;
      const owner = await scene.create(clusterRoles, { metadata: { name }, rules: [] });
      await scene.create(configMaps, map("child", { owners: [ownedBy(owner)] }));
      await scene.remove(clusterRoles, name);
      await scene.untilGone(configMaps, "child");
    },
  },
];

/** A kind of this scenario's own. */
async function define(scene: Scene): Promise<ResourceType> {
  const plural = `widgets${scene.id.replaceAll(/[^a-z0-9]/gu, "")}`;
  const group = "example.org";
  const kind = `Widget${plural}`;
  const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } } as const;
  const names = { plural, singular: plural, kind, listKind: `${kind}List` };
  const versions = [{ name: "v1", served: true, storage: true, schema }];
  await scene.create(customResourceDefinitions, {
    metadata: { name: `${plural}.${group}` },
    spec: { group, names, scope: "Namespaced", versions },
  });
  await scene.until(customResourceDefinitions, `${plural}.${group}`, ({ status }) =>
    status?.conditions?.some(({ type, status: said }) => type === "Established" && said === "True"),
  );
  const type = { group, version: "v1", plural, kind, namespaced: true };
  await untilServed(scene, type);
  return type;
}

export const customResources: Scenario[] = [
  {
    name: "custom resources own, and are owned",
    compares,
    async run(scene) {
      const widgets = await define(scene);
      const owner = await scene.create(widgets, { metadata: { name: "owner" } });
      const owned = { name: "owned", ownerReferences: [ownedBy(owner, { blockOwnerDeletion: true })] };
      const child = await scene.create(widgets, { metadata: owned });
      await scene.create(configMaps, map("grandchild", { owners: [ownedBy(child)] }));
      await scene.create(
        configMaps,
        map("shared", { owners: [ownedBy(child), ownedBy(await scene.create(configMaps, map("other")))] }),
      );
      await scene.client.delete(
        widgets,
        { namespace: scene.namespace, name: "owner" },
        { propagationPolicy: "Foreground" },
      );
      await scene.untilGone(widgets, "owner");
      await scene.untilGone(configMaps, "grandchild");
      await scene.until(configMaps, "shared", ({ metadata }) => metadata.ownerReferences?.length === 1);
    },
  },
];
