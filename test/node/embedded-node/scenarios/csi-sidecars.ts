import { persistentVolumeClaims, persistentVolumes, pods, volumeAttachments } from "@stowage/machinery";
import { growClaim } from "../../../cluster/embedded-scenarios/admission.ts";
import {
  className,
  createClaim,
  createClass,
  endUser,
  provide,
  startUser,
  untilCalled,
  usingClaim,
  volumeMounts,
} from "../csi-objects.ts";
import { container, createPod, serving, untilReady } from "../pod-objects.ts";
import type { Scenario, Scene } from "../scenario.ts";

const compares = [pods, persistentVolumes, persistentVolumeClaims, volumeAttachments];
const events = ["Pod", "PersistentVolumeClaim"];
const spec = { attachRequired: true };

const grow = (scene: Scene) => growClaim(scene, "data", "2Gi");
const untilGrown = (scene: Scene) =>
  scene.until(
    persistentVolumeClaims,
    "data",
    ({ status }) => status?.capacity?.["storage"] === "2Gi" && status.allocatedResourceStatuses === undefined,
  );

export const attaching: Scenario[] = [
  {
    name: "a volume is attached, and stays so while a Pod has it",
    compares,
    events,
    async run(scene) {
      const driver = await scene.startDriver({ spec, sidecars: ["attacher"] });
      await provide(scene, driver);
      await startUser(scene);
    },
  },
  {
    name: "a volume is detached when no Pod has it",
    compares,
    events: ["Pod"],
    async run(scene) {
      const driver = await scene.startDriver({ spec, sidecars: ["attacher"] });
      await provide(scene, driver);
      await startUser(scene);
      await endUser(scene, driver, "ControllerUnpublishVolume");
    },
  },
  {
    // Without events: whether somebody sees the error before the attacher has tried again is chance.
    name: "attaching fails once",
    compares,
    async run(scene) {
      const driver = await scene.startDriver({ spec, sidecars: ["attacher"] });
      await provide(scene, driver);
      const fault = { method: "ControllerPublishVolume", kind: "fail", code: "INTERNAL", message: "no cable" } as const;
      driver.control.addFault({ ...fault, times: 1 });
      await startUser(scene);
    },
  },
  {
    name: "a driver of which nobody says anything has its volumes attached",
    compares,
    async run(scene) {
      const driver = await scene.startDriver({ sidecars: ["attacher"] });
      await provide(scene, driver);
      await startUser(scene);
    },
  },
];

export const provisioning: Scenario[] = [
  {
    name: "from a claim to a Pod with its volume, and back",
    compares,
    async run(scene) {
      const driver = await scene.startDriver({ spec, sidecars: ["provisioner", "attacher"] });
      await createClass(scene);
      await createClaim(scene, { storageClassName: className(scene) });
      await startUser(scene);
      await scene.remove(persistentVolumeClaims, "data");
      await endUser(scene, driver, "DeleteVolume");
      await scene.untilGone(persistentVolumeClaims, "data");
    },
  },
  {
    name: "a volume is made where its first Pod is",
    compares,
    async run(scene) {
      await scene.startDriver({
        spec,
        sidecars: ["provisioner", "attacher"],
        options: { topology: { "example.org/zone": "a" } },
      });
      await createClass(scene, { volumeBindingMode: "WaitForFirstConsumer" });
      await createClaim(scene, { storageClassName: className(scene) });
      await startUser(scene);
    },
  },
  {
    name: "a volume whose claim comes and goes with its Pod",
    compares,
    async run(scene) {
      // What is attached is not deleted: without that, the volume may go before it is unstaged.
      const driver = await scene.startDriver({ spec, sidecars: ["provisioner", "attacher"] });
      await createClass(scene);
      const resources = { requests: { storage: "1Gi" } };
      const claim = { accessModes: ["ReadWriteOnce" as const], resources, storageClassName: className(scene) };
      await startUser(scene, {
        volumes: [{ name: "data", ephemeral: { volumeClaimTemplate: { spec: claim } } }],
        containers: [container(serving, { volumeMounts })],
      });
      await endUser(scene, driver, "DeleteVolume");
    },
  },
];

export const growing: Scenario[] = [
  {
    name: "a volume grows while a Pod has it",
    compares,
    async run(scene) {
      const driver = await scene.startDriver({
        spec: { attachRequired: false },
        options: { attaches: false },
        sidecars: ["provisioner", "resizer"],
      });
      await createClass(scene, { allowVolumeExpansion: true });
      await createClaim(scene, { storageClassName: className(scene) });
      await startUser(scene);
      await grow(scene);
      await untilGrown(scene);
      await untilCalled(driver, "NodeExpandVolume");
    },
  },
  {
    name: "a volume has grown before a Pod has it",
    compares,
    async run(scene) {
      const driver = await scene.startDriver({
        spec: { attachRequired: false },
        options: { attaches: false },
        sidecars: ["provisioner", "resizer"],
      });
      await createClass(scene, { allowVolumeExpansion: true });
      await createClaim(scene, { storageClassName: className(scene) });
      await scene.until(persistentVolumeClaims, "data", ({ status }) => status?.phase === "Bound");
      await grow(scene);
      await untilCalled(driver, "ControllerExpandVolume");
      await createPod(scene, usingClaim());
      await untilReady(scene);
      await untilGrown(scene);
    },
  },
];
