import { type NewObject } from "@stowage/kube";
import {
  type KubernetesObject,
  type Pod,
  persistentVolumeClaims,
  persistentVolumes,
  pods,
  type ResourceType,
  volumeAttributesClasses,
} from "@stowage/machinery";
import type { Scenario, Scene } from "../scenario.ts";
import { ask, boundPair, untilPhase, volumeName } from "../storage-objects.ts";
import { podTemplate } from "../workload-objects.ts";

const compares = [persistentVolumes, persistentVolumeClaims];

const user = (nodeName?: string): NewObject<Pod> => {
  const volumes = [{ name: "data", persistentVolumeClaim: { claimName: "data" } }];
  return { ...podTemplate("user", { volumes, ...(nodeName && { nodeName }) }), metadata: { name: "user" } };
};

const isBeingDeleted = ({ metadata }: KubernetesObject) => metadata.deletionTimestamp !== undefined;

async function untilProtected<T extends KubernetesObject>(scene: Scene, type: ResourceType<T>, name: string) {
  await scene.until(type, name, ({ metadata }) => (metadata.finalizers ?? []).length > 0);
}

export const protection: Scenario[] = [
  {
    name: "a claim stays while a Pod on a node uses it",
    compares,
    async run(scene) {
      await boundPair(scene, "data");
      await scene.create(pods, user("no-such-node"));
      await scene.remove(persistentVolumeClaims, "data");
      await scene.until(persistentVolumeClaims, "data", isBeingDeleted);
    },
  },
  {
    name: "a claim goes when the last Pod that uses it does",
    compares,
    async run(scene) {
      await boundPair(scene, "data");
      await scene.create(pods, user("no-such-node"));
      await scene.remove(persistentVolumeClaims, "data");
      await scene.client.delete(pods, { name: "user", namespace: scene.namespace }, { gracePeriodSeconds: 0 });
      await scene.untilGone(persistentVolumeClaims, "data");
      await untilPhase(scene, volumeName(scene, "data"), "Released");
    },
  },
  {
    name: "a claim goes at once when no Pod with a node uses it",
    compares,
    async run(scene) {
      await boundPair(scene, "data");
      await scene.create(pods, user());
      await scene.remove(persistentVolumeClaims, "data");
      await scene.untilGone(persistentVolumeClaims, "data");
      await untilPhase(scene, volumeName(scene, "data"), "Released");
    },
  },
  {
    name: "a volume stays while it is bound",
    compares,
    async run(scene) {
      await boundPair(scene, "data");
      await scene.remove(persistentVolumes, volumeName(scene, "data"));
      await scene.until(persistentVolumes, volumeName(scene, "data"), isBeingDeleted);
    },
  },
  {
    name: "a volume that is being deleted goes with its claim",
    compares,
    async run(scene) {
      await boundPair(scene, "data");
      await scene.remove(persistentVolumes, volumeName(scene, "data"));
      await scene.remove(persistentVolumeClaims, "data");
      await scene.untilGone(persistentVolumes, volumeName(scene, "data"));
    },
  },
  {
    name: "protection that was taken away comes back",
    compares: [...compares, volumeAttributesClasses],
    async run(scene) {
      await boundPair(scene, "data");
      const name = `gold-${scene.id}`;
      await scene.create(volumeAttributesClasses, {
        metadata: { name },
        driverName: `csi-${scene.id}`,
        parameters: { speed: "9" },
      });
      await untilProtected(scene, volumeAttributesClasses, name);
      const bare = { metadata: { finalizers: null } };
      await scene.patch(persistentVolumeClaims, "data", bare);
      await scene.patch(persistentVolumes, volumeName(scene, "data"), bare);
      await scene.patch(volumeAttributesClasses, name, bare);
      await untilProtected(scene, persistentVolumeClaims, "data");
      await untilProtected(scene, persistentVolumes, volumeName(scene, "data"));
      await untilProtected(scene, volumeAttributesClasses, name);
    },
  },
  {
    name: "a VolumeAttributesClass stays while a claim names it",
    compares: [volumeAttributesClasses, persistentVolumeClaims],
    async run(scene) {
      const name = `gold-${scene.id}`;
      await scene.create(volumeAttributesClasses, {
        metadata: { name },
        driverName: `csi-${scene.id}`,
        parameters: { speed: "9" },
      });
      await untilProtected(scene, volumeAttributesClasses, name);
      await ask(scene, "data", { volumeAttributesClassName: name });
      await scene.until(persistentVolumeClaims, "data", ({ status }) => status?.phase === "Pending");
      await scene.remove(volumeAttributesClasses, name);
      await scene.until(volumeAttributesClasses, name, isBeingDeleted);
    },
  },
  {
    name: "a VolumeAttributesClass goes when the last claim that names it does",
    compares: [volumeAttributesClasses, persistentVolumeClaims],
    async run(scene) {
      const name = `gold-${scene.id}`;
      await scene.create(volumeAttributesClasses, {
        metadata: { name },
        driverName: `csi-${scene.id}`,
        parameters: { speed: "9" },
      });
      await untilProtected(scene, volumeAttributesClasses, name);
      await ask(scene, "data", { volumeAttributesClassName: name });
      await scene.remove(volumeAttributesClasses, name);
      await scene.remove(persistentVolumeClaims, "data");
      await scene.untilGone(volumeAttributesClasses, name);
    },
  },
];
