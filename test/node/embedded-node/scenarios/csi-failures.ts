import { type CSIDriverSpec, csiDrivers, persistentVolumeClaims, persistentVolumes, pods } from "@stowage/machinery";
import { endUser, provide, untilCalled, usingClaim, volumeMounts } from "../csi-objects.ts";
import { container, createPod, untilReady, untilTold } from "../pod-objects.ts";
import type { Driver, Scenario, Scene } from "../scenario.ts";

const compares = [pods, persistentVolumes, persistentVolumeClaims];
const events = ["Pod"];
const spec: CSIDriverSpec = { attachRequired: false };
type Fault = Parameters<Driver["control"]["addFault"]>[0];

async function startFaulty(scene: Scene, fault: Fault, repeats?: true): Promise<Driver> {
  const driver = await scene.startDriver({ options: { attaches: false }, spec, ...(repeats && { repeats }) });
  await provide(scene, driver);
  driver.control.addFault(fault);
  await createPod(scene, usingClaim());
  return driver;
}

const failed = (
  method: string,
  code: "INTERNAL" | "INVALID_ARGUMENT" | "UNAVAILABLE" | "ABORTED",
  times?: number,
): Fault => ({
  method,
  kind: "fail",
  code,
  message: "the array is on fire",
  ...(times !== undefined && { times }),
});

/** It goes wrong, is tried again, and goes well. */
const overcome = (name: string, fault: Fault): Scenario => ({
  name,
  compares,
  events,
  eventCounts: false,
  async run(scene) {
    const driver = await startFaulty(scene, fault);
    await untilReady(scene);
    await endUser(scene, driver, "NodeUnstageVolume");
  },
});

/** It goes wrong until the Pod is deleted; what is undone then depends on whether something may have been done. */
const givenUp = (name: string, fault: Fault, lastCall: string): Scenario => ({
  name,
  compares,
  events,
  eventCounts: false,
  async run(scene) {
    const driver = await startFaulty(scene, fault, true);
    await untilTold(scene, "FailedMount");
    await scene.remove(pods, "user");
    await scene.untilGone(pods, "user");
    await untilCalled(driver, lastCall);
  },
});

export const retries: Scenario[] = [
  overcome("staging fails twice", failed("NodeStageVolume", "INTERNAL", 2)),
  overcome("publishing fails once for good", failed("NodePublishVolume", "INVALID_ARGUMENT", 1)),
  overcome("publishing fails once for now", failed("NodePublishVolume", "UNAVAILABLE", 1)),
  overcome("the answer to staging is lost", { method: "NodeStageVolume", kind: "lostReply", times: 1 }),
  overcome("unpublishing fails twice", failed("NodeUnpublishVolume", "INTERNAL", 2)),
  overcome("unstaging fails twice", failed("NodeUnstageVolume", "ABORTED", 2)),
];

export const surrenders: Scenario[] = [
  givenUp("what may have been staged is unstaged", failed("NodeStageVolume", "UNAVAILABLE"), "NodeUnstageVolume"),
  givenUp("what may have been published is unpublished", failed("NodePublishVolume", "ABORTED"), "NodeUnstageVolume"),
  givenUp("what was refused is not unpublished", failed("NodePublishVolume", "INTERNAL"), "NodeUnstageVolume"),
];

export const strangers: Scenario[] = [
  {
    name: "a driver that is not on the node",
    compares,
    events,
    eventCounts: false,
    async run(scene) {
      await scene.create(csiDrivers, { metadata: { name: scene.driverName }, spec });
      await provide(scene, undefined);
      await createPod(scene, usingClaim());
      await untilTold(scene, "FailedMount");
    },
  },
  {
    name: "a driver that comes late",
    compares,
    async run(scene) {
      await scene.create(csiDrivers, {
        metadata: { name: scene.driverName },
        spec: { ...spec, podInfoOnMount: true, volumeLifecycleModes: ["Ephemeral"] },
      });
      const volumes = [{ name: "data", csi: { driver: scene.driverName } }];
      await createPod(scene, { volumes, containers: [container("exit 0", { volumeMounts })], restartPolicy: "Never" });
      await untilTold(scene, "FailedMount");
      await scene.startDriver();
      await scene.until(pods, "user", ({ status }) => status?.phase === "Succeeded");
    },
  },
  {
    name: "a driver that does not know volumes of Pods",
    compares,
    events,
    eventCounts: false,
    async run(scene) {
      await scene.startDriver({ spec });
      const volumes = [{ name: "data", csi: { driver: scene.driverName } }];
      await createPod(scene, { volumes, containers: [container("exit 0", { volumeMounts })] });
      await untilTold(scene, "FailedMount");
    },
  },
  {
    name: "a secret that is not there",
    compares,
    events,
    eventCounts: false,
    async run(scene) {
      const driver = await scene.startDriver({ options: { attaches: false }, spec });
      await provide(scene, driver, { csi: { nodeStageSecretRef: { name: "none", namespace: scene.namespace } } });
      await createPod(scene, usingClaim());
      await untilTold(scene, "FailedMount");
    },
  },
  {
    name: "a secret for publishing that is not there",
    compares,
    events,
    eventCounts: false,
    async run(scene) {
      const driver = await scene.startDriver({ options: { attaches: false }, spec });
      await provide(scene, driver, { csi: { nodePublishSecretRef: { name: "none", namespace: scene.namespace } } });
      await createPod(scene, usingClaim());
      await untilTold(scene, "FailedMount");
    },
  },
  {
    name: "a claim that is not there when the Pod is on the node already",
    compares,
    events,
    eventCounts: false,
    async run(scene) {
      // Which volumes are told of depends on which are mounted by then: there are no others.
      const alone = { nodeName: scene.nodeName, automountServiceAccountToken: false };
      await createPod(scene, { ...usingClaim(), ...alone });
      await untilTold(scene, "FailedMount");
    },
  },
];
