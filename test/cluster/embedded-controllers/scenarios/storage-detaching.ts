import {
  nodes,
  outOfServiceTaint,
  persistentVolumeClaims,
  pods,
  type VolumeAttachment,
  volumeAttachments,
} from "@stowage/machinery";
import {
  attached,
  attachTo,
  endPod,
  makeNode,
  makePod,
  nodeName,
  setInUse,
  untilAsked,
  untilDropped,
  untilReported,
} from "../attaching-objects.ts";
import type { Scenario } from "../scenario.ts";
import { untilTold } from "../storage-objects.ts";

const compares = [volumeAttachments, persistentVolumeClaims];
const about = { compares, events: ["Pod"], eventCounts: false } as const;

const isBeingDeleted = ({ metadata }: VolumeAttachment) => metadata.deletionTimestamp !== undefined;

export const detaching: Scenario[] = [
  {
    name: "a volume is detached when its Pod is gone",
    ...about,
    async run(scene) {
      await attached(scene);
      await endPod(scene, "user");
      await untilDropped(scene, "data", "one");
      await untilReported(scene, "one", []);
    },
  },
  {
    name: "a volume is detached when its Pod has succeeded",
    ...about,
    async run(scene) {
      await attached(scene);
      await scene.patchStatus(pods, "user", { phase: "Succeeded" });
      await untilDropped(scene, "data", "one");
      await untilReported(scene, "one", []);
    },
  },
  {
    name: "a volume that the node still uses is not detached",
    ...about,
    async run(scene) {
      await attached(scene);
      await setInUse(scene, ["data"]);
      await endPod(scene, "user");
      await scene.untilGone(pods, "user");
    },
  },
  {
    name: "a volume is detached when the node no longer uses it",
    ...about,
    async run(scene) {
      await attached(scene);
      await setInUse(scene, ["data"]);
      await endPod(scene, "user");
      await scene.untilGone(pods, "user");
      await setInUse(scene, []);
      await untilDropped(scene, "data", "one");
      await untilReported(scene, "one", []);
    },
  },
  {
    name: "a volume is detached from a node that is out of service, whatever it said last",
    ...about,
    async run(scene) {
      await attached(scene);
      await setInUse(scene, ["data"]);
      await endPod(scene, "user");
      const taints = [{ key: outOfServiceTaint, value: "nodeshutdown", effect: "NoExecute" }];
      await scene.patch(nodes, nodeName(scene, "one"), { spec: { taints } });
      await untilDropped(scene, "data", "one");
      await untilReported(scene, "one", []);
    },
  },
  {
    name: "a volume of one node is not attached to another as long as the first has it",
    ...about,
    async run(scene) {
      await attached(scene);
      await makeNode(scene, "two");
      await makePod(scene, "late", "two", ["data"]);
      await untilTold(scene, "FailedAttachVolume");
    },
  },
  {
    name: "a volume moves with its Pod from one node to another",
    ...about,
    async run(scene) {
      await attached(scene);
      await setInUse(scene, ["data"]);
      await makeNode(scene, "two");
      await endPod(scene, "user");
      await scene.untilGone(pods, "user");
      await makePod(scene, "late", "two", ["data"]);
      await untilTold(scene, "FailedAttachVolume");
      await setInUse(scene, []);
      await untilDropped(scene, "data", "one");
      await attachTo(scene, "data", "two");
      await untilReported(scene, "two", ["data"]);
      await untilTold(scene, "SuccessfulAttachVolume", 2);
    },
  },
  {
    name: "a volume is detached when its attacher is done, after a failure too",
    ...about,
    async run(scene) {
      await attached(scene);
      const name = await untilAsked(scene, "data", "one");
      await scene.patch(volumeAttachments, name, { metadata: { finalizers: ["example.org/attacher"] } });
      await endPod(scene, "user");
      await scene.until(volumeAttachments, name, isBeingDeleted);
      await untilReported(scene, "one", []);
      const detachError = { message: "the rack is locked", time: "2026-01-01T00:00:00Z" };
      await scene.patchStatus(volumeAttachments, name, { detachError });
      await scene.patchStatus(volumeAttachments, name, { detachError: null });
      await scene.patch(volumeAttachments, name, { metadata: { finalizers: null } });
      await untilDropped(scene, "data", "one");
    },
  },
  {
    name: "a volume that is needed again before it is detached is attached anew",
    ...about,
    async run(scene) {
      await attached(scene);
      const name = await untilAsked(scene, "data", "one");
      await scene.patch(volumeAttachments, name, { metadata: { finalizers: ["example.org/attacher"] } });
      await endPod(scene, "user");
      const { metadata } = await scene.until(volumeAttachments, name, isBeingDeleted);
      await makePod(scene, "late", "one", ["data"]);
      await scene.patch(volumeAttachments, name, { metadata: { finalizers: null } });
      await scene.until(volumeAttachments, name, (found) => found.metadata.uid !== metadata.uid);
      await attachTo(scene, "data", "one");
      await untilReported(scene, "one", ["data"]);
      await untilTold(scene, "SuccessfulAttachVolume", 2);
    },
  },
  {
    name: "a volume is detached from a node that is gone",
    ...about,
    async run(scene) {
      await attached(scene);
      await scene.remove(nodes, nodeName(scene, "one"));
      await endPod(scene, "user");
      await untilDropped(scene, "data", "one");
    },
  },
];
