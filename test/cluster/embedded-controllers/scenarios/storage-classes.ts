import {
  type PersistentVolumeClaim,
  persistentVolumeClaims,
  persistentVolumes,
  pods,
  storageClasses,
} from "@stowage/machinery";
import type { Scenario, Scene } from "../scenario.ts";
import { ask, classOf, makeClass, offer, untilBound, untilTold, volume, volumeName } from "../storage-objects.ts";
import { podTemplate } from "../workload-objects.ts";

const compares = [persistentVolumes, persistentVolumeClaims, storageClasses];
const about = { compares, events: ["PersistentVolumeClaim"], eventCounts: false } as const;
const late = { volumeBindingMode: "WaitForFirstConsumer" } as const;
const provisioner = "volume.kubernetes.io/storage-provisioner";

const untilHanded = (scene: Scene) =>
  scene.until(persistentVolumeClaims, "data", ({ metadata }) => metadata.annotations?.[provisioner] !== undefined);

/** What a provisioner makes for a claim. */
const provisioned = (scene: Scene, { metadata }: PersistentVolumeClaim) => {
  const { name, namespace, uid } = metadata;
  const claimRef = { apiVersion: "v1", kind: "PersistentVolumeClaim", name, namespace, uid };
  const annotations = { "pv.kubernetes.io/provisioned-by": `csi-${scene.id}` };
  return volume(scene, "made", { claimRef, annotations, persistentVolumeReclaimPolicy: "Delete" });
};

export const provisioning: Scenario[] = [
  {
    name: "a claim that nothing fits is handed to the provisioner of its class, and takes what it makes",
    ...about,
    async run(scene) {
      await makeClass(scene);
      await ask(scene, "data");
      await scene.create(persistentVolumes, provisioned(scene, await untilHanded(scene)));
      await untilBound(scene, "data");
      await untilTold(scene, "ExternalProvisioning");
    },
  },
  {
    name: "a claim of a class is bound to a volume that is there rather than provisioned",
    ...about,
    async run(scene) {
      await makeClass(scene);
      await offer(scene, "there");
      await ask(scene, "data");
      await untilBound(scene, "data");
    },
  },
  {
    name: "a claim is told that its class does not exist",
    ...about,
    async run(scene) {
      await ask(scene, "data");
      await untilTold(scene, "ProvisioningFailed");
    },
  },
  {
    name: "a claim is told that its class cannot provision",
    ...about,
    async run(scene) {
      await makeClass(scene, { provisioner: "kubernetes.io/no-provisioner" });
      await ask(scene, "data");
      await untilTold(scene, "ProvisioningFailed");
    },
  },
  {
    name: "a claim that wants no class is told that nothing fits",
    ...about,
    async run(scene) {
      await ask(scene, "data", { storageClassName: "", gib: 1_000_000 });
      await untilTold(scene, "FailedBinding");
    },
  },
];

export const lateBinding: Scenario[] = [
  {
    name: "a claim that binds late waits for a Pod, though a volume fits",
    ...about,
    async run(scene) {
      await makeClass(scene, late);
      await offer(scene, "there");
      await ask(scene, "data");
      await untilTold(scene, "WaitForFirstConsumer");
    },
  },
  {
    name: "a claim that binds late says for which Pod it waits",
    ...about,
    async run(scene) {
      await makeClass(scene, late);
      const volumes = [{ name: "data", persistentVolumeClaim: { claimName: "data" } }];
      await scene.create(pods, { ...podTemplate("user", { volumes }), metadata: { name: "user" } });
      await ask(scene, "data");
      await untilTold(scene, "WaitForPodScheduled");
    },
  },
  {
    name: "a claim that binds late is handed to the provisioner once a node is selected",
    ...about,
    async run(scene) {
      await makeClass(scene, late);
      await ask(scene, "data", { annotations: { "volume.kubernetes.io/selected-node": "node-1" } });
      await untilHanded(scene);
      await untilTold(scene, "ExternalProvisioning");
    },
  },
  {
    name: "a claim that binds late takes the volume that is reserved for it at once",
    ...about,
    async run(scene) {
      await makeClass(scene, late);
      await offer(scene, "kept", { claimRef: { namespace: scene.namespace, name: "data" } });
      await ask(scene, "data");
      await untilBound(scene, "data");
    },
  },
  {
    name: "a claim that binds late is bound as the scheduler has written into the volume",
    ...about,
    async run(scene) {
      await makeClass(scene, late);
      await offer(scene, "there");
      const { metadata } = await ask(scene, "data");
      await untilTold(scene, "WaitForFirstConsumer");
      const { name, namespace, uid } = metadata;
      const claimRef = { apiVersion: "v1", kind: "PersistentVolumeClaim", name, namespace, uid };
      const annotations = { "pv.kubernetes.io/bound-by-controller": "yes" };
      await scene.patch(persistentVolumes, volumeName(scene, "there"), {
        metadata: { annotations },
        spec: { claimRef },
      });
      await untilBound(scene, "data");
    },
  },
];

/** A default class is everybody's: no other scenario may run meanwhile. */
export const defaultClasses: Scenario[] = [
  {
    name: "a claim without a class gets the default class that comes later",
    ...about,
    alone: true,
    async run(scene) {
      await ask(scene, "data", { storageClassName: undefined, gib: 1_000_000 });
      await untilTold(scene, "FailedBinding");
      const annotations = { "storageclass.kubernetes.io/is-default-class": "true" };
      await makeClass(scene, { metadata: { annotations } });
      await scene.until(persistentVolumeClaims, "data", ({ spec }) => spec?.storageClassName === classOf(scene));
      await untilHanded(scene);
      await untilTold(scene, "ExternalProvisioning");
    },
  },
];
