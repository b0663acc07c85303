import { persistentVolumeClaims, persistentVolumes } from "@stowage/machinery";
import type { Scenario } from "../scenario.ts";
import { ask, boundPair, offer, untilBound, untilPhase, untilTold, volume, volumeName } from "../storage-objects.ts";

const compares = [persistentVolumes, persistentVolumeClaims];
const about = { compares, events: ["PersistentVolume", "PersistentVolumeClaim"], eventCounts: false } as const;

/** Which of several volumes a claim gets. */
export const choices: Scenario[] = [
  {
    name: "a claim gets the smallest volume that is large enough",
    ...about,
    async run(scene) {
      for (const gib of [1, 10, 5]) await offer(scene, `pv${gib}`, { gib });
      await ask(scene, "data", { gib: 3 });
      await untilBound(scene, "data");
    },
  },
  {
    name: "a claim gets a volume that offers no more access modes than needed, even a larger one",
    ...about,
    async run(scene) {
      await offer(scene, "many", { accessModes: ["ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany"] });
      await offer(scene, "one", { gib: 5 });
      await ask(scene, "data");
      await untilBound(scene, "data");
    },
  },
  {
    name: "a claim with a selector gets a volume with such labels",
    ...about,
    async run(scene) {
      await offer(scene, "slow", { labels: { speed: "slow" } });
      await offer(scene, "fast", { gib: 2, labels: { speed: "fast" } });
      const selector = { matchExpressions: [{ key: "speed", operator: "NotIn", values: ["slow"] }] };
      await ask(scene, "data", { selector });
      await untilBound(scene, "data");
    },
  },
  {
    name: "a claim of a block volume does not get a file system",
    ...about,
    async run(scene) {
      await offer(scene, "files", { volumeMode: "Filesystem" });
      await offer(scene, "block", { gib: 2, volumeMode: "Block" });
      await ask(scene, "data", { volumeMode: "Block" });
      await untilBound(scene, "data");
    },
  },
  {
    name: "a claim gets a volume of its VolumeAttributesClass, and says so",
    ...about,
    async run(scene) {
      await offer(scene, "plain");
      await offer(scene, "gold", { gib: 2, volumeAttributesClassName: "gold" });
      await ask(scene, "data", { volumeAttributesClassName: "gold" });
      await untilBound(scene, "data");
    },
  },
  {
    name: "two claims get a volume each",
    ...about,
    async run(scene) {
      await offer(scene, "small");
      await offer(scene, "large", { gib: 2 });
      await ask(scene, "first");
      await untilBound(scene, "first");
      await ask(scene, "second");
      await untilBound(scene, "second");
    },
  },
  {
    name: "a claim that nothing fits waits, and is bound when a volume comes",
    ...about,
    async run(scene) {
      await offer(scene, "small");
      await ask(scene, "data", { gib: 5 });
      await untilTold(scene, "ProvisioningFailed");
      await scene.create(persistentVolumes, volume(scene, "large", { gib: 5 }));
      await untilBound(scene, "data");
    },
  },
  {
    name: "the class of an old annotation counts before the field",
    ...about,
    async run(scene) {
      const annotations = { "volume.beta.kubernetes.io/storage-class": `old-${scene.id}` };
      await offer(scene, "new");
      await offer(scene, "old", { gib: 2, annotations });
      await ask(scene, "data", { annotations });
      await untilBound(scene, "data");
    },
  },
  {
    name: "a volume that is being expanded counts with the size of its file system",
    ...about,
    async run(scene) {
      await offer(scene, "grown", { gib: 2, annotations: { "volume.alpha.kubernetes.io/pre-resize-capacity": "1Gi" } });
      await ask(scene, "data");
      await untilBound(scene, "data");
    },
  },
];

/** Where one names the other beforehand. */
export const reservations: Scenario[] = [
  {
    name: "a claim gets the volume that it names",
    ...about,
    async run(scene) {
      await offer(scene, "other");
      await offer(scene, "wanted", { gib: 5 });
      await ask(scene, "data", { volumeName: volumeName(scene, "wanted") });
      await untilBound(scene, "data");
    },
  },
  {
    name: "a claim is told why it cannot have the volume that it names",
    ...about,
    async run(scene) {
      await offer(scene, "one");
      const name = volumeName(scene, "one");
      await ask(scene, "too-large", { volumeName: name, gib: 5 });
      await ask(scene, "other-class", { volumeName: name, storageClassName: "" });
      await ask(scene, "other-mode", { volumeName: name, volumeMode: "Block" });
      await ask(scene, "other-access", { volumeName: name, accessModes: ["ReadWriteMany"] });
      await ask(scene, "other-attributes", { volumeName: name, volumeAttributesClassName: "gold" });
      await untilTold(scene, "VolumeMismatch", 5);
    },
  },
  {
    name: "a claim waits for the volume that it names to come",
    ...about,
    async run(scene) {
      await ask(scene, "data", { volumeName: volumeName(scene, "late") });
      await scene.create(persistentVolumes, volume(scene, "late"));
      await untilBound(scene, "data");
    },
  },
  {
    name: "a volume that is reserved by name waits for its claim, and others do not get it",
    ...about,
    async run(scene) {
      await offer(scene, "kept", { claimRef: { namespace: scene.namespace, name: "data" } });
      await offer(scene, "free", { gib: 2 });
      await ask(scene, "other");
      await untilBound(scene, "other");
      await ask(scene, "data");
      await untilBound(scene, "data");
    },
  },
  {
    name: "a volume of a claim that never was is released",
    ...about,
    async run(scene) {
      const claimRef = { namespace: scene.namespace, name: "gone", uid: "00000000-0000-0000-0000-000000000001" };
      await scene.create(persistentVolumes, volume(scene, "left", { claimRef }));
      await untilPhase(scene, volumeName(scene, "left"), "Released");
    },
  },
  {
    name: "a claim is told that somebody else has the volume that it names",
    ...about,
    async run(scene) {
      await boundPair(scene, "taken");
      await ask(scene, "late", { volumeName: volumeName(scene, "taken") });
      await untilTold(scene, "FailedBinding");
    },
  },
  {
    name: "a volume made for a claim in another mode is refused",
    ...about,
    async run(scene) {
      const { metadata } = await ask(scene, "data", { volumeMode: "Block" });
      const claimRef = { namespace: scene.namespace, name: "data", uid: metadata.uid };
      await scene.create(persistentVolumes, volume(scene, "wrong", { volumeMode: "Filesystem", claimRef }));
      await untilTold(scene, "VolumeMismatch", 2);
      await untilTold(scene, "ProvisioningFailed");
    },
  },
];
