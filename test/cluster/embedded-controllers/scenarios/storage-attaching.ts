import { csiDrivers, persistentVolumeClaims, persistentVolumes, volumeAttachments } from "@stowage/machinery";
import { attached, attachTo, makeNode, makePod, untilAsked, untilReported } from "../attaching-objects.ts";
import type { Scenario } from "../scenario.ts";
import { ask, boundPair, untilBound, untilTold, volume } from "../storage-objects.ts";

const compares = [volumeAttachments, persistentVolumeClaims];
const about = { compares, events: ["Pod"], eventCounts: false } as const;

export const attaching: Scenario[] = [
  { name: "a volume is attached to the node of its Pod", ...about, run: attached },
  {
    name: "a Pod is told why its volume is not attached, and that it is at last",
    ...about,
    async run(scene) {
      await makeNode(scene, "one");
      await boundPair(scene, "data");
      await makePod(scene, "user", "one", ["data"]);
      const name = await untilAsked(scene, "data", "one");
      const attachError = { message: "no room left on the rack", time: "2026-01-01T00:00:00Z" };
      await scene.patchStatus(volumeAttachments, name, { attached: false, attachError });
      await untilTold(scene, "FailedAttachVolume");
      await scene.patchStatus(volumeAttachments, name, { attached: true, attachError: null });
      await untilReported(scene, "one", ["data"]);
      await untilTold(scene, "SuccessfulAttachVolume");
    },
  },
  {
    name: "a volume whose driver has no use for it is not attached",
    ...about,
    async run(scene) {
      await makeNode(scene, "one");
      const driver = `free-${scene.id}`;
      await scene.create(csiDrivers, { metadata: { name: driver }, spec: { attachRequired: false } });
      await boundPair(scene, "free", { csi: { driver, volumeHandle: "free" } });
      await boundPair(scene, "data");
      await makePod(scene, "user", "one", ["free", "data"]);
      await attachTo(scene, "data", "one");
      await untilReported(scene, "one", ["data"]);
    },
  },
  {
    name: "volumes of a node that does not ask for it are not attached",
    ...about,
    async run(scene) {
      await makeNode(scene, "one");
      await makeNode(scene, "other", false);
      const accessModes = ["ReadWriteMany" as const];
      await boundPair(scene, "data", { accessModes });
      await makePod(scene, "apart", "other", ["data"]);
      await makePod(scene, "user", "one", ["data"]);
      await attachTo(scene, "data", "one");
      await untilReported(scene, "one", ["data"]);
    },
  },
  {
    name: "a volume is attached once its claim is bound",
    ...about,
    async run(scene) {
      await makeNode(scene, "one");
      const { metadata } = await ask(scene, "data");
      await makePod(scene, "user", "one", ["data"]);
      const claimRef = { namespace: scene.namespace, name: "data", uid: metadata.uid };
      await scene.create(persistentVolumes, volume(scene, "data", { claimRef }));
      await untilBound(scene, "data");
      await attachTo(scene, "data", "one");
      await untilReported(scene, "one", ["data"]);
    },
  },
  {
    name: "a volume of many is attached to all nodes that need it",
    ...about,
    async run(scene) {
      await makeNode(scene, "one");
      await makeNode(scene, "two");
      await boundPair(scene, "data", { accessModes: ["ReadWriteMany"] });
      await makePod(scene, "first", "one", ["data"]);
      await makePod(scene, "second", "two", ["data"]);
      await attachTo(scene, "data", "one");
      await attachTo(scene, "data", "two");
      await untilReported(scene, "one", ["data"]);
      await untilReported(scene, "two", ["data"]);
      await untilTold(scene, "SuccessfulAttachVolume", 2);
    },
  },
];
