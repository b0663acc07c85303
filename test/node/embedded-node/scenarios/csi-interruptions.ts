import { persistentVolumeClaims, persistentVolumes, pods } from "@stowage/machinery";
import { endUser, provide, startUser, untilCalled, usingClaim } from "../csi-objects.ts";
import { container, createPod, serving, untilReady } from "../pod-objects.ts";
import type { Scenario } from "../scenario.ts";

const compares = [pods, persistentVolumes, persistentVolumeClaims];
const events = ["Pod"];

export const driversThatDie: Scenario[] = [
  {
    name: "a driver is killed and comes back while a Pod has its volume",
    compares,
    events,
    async run(scene) {
      const driver = await scene.startMortalDriver();
      await provide(scene, driver);
      await startUser(scene);
      await driver.kill();
      await driver.start();
      await endUser(scene, driver, "NodeUnstageVolume");
    },
  },
  {
    // Without events: how the line was cut is told in the words of whoever called.
    name: "a Pod is deleted while its driver is dead",
    compares,
    async run(scene) {
      const driver = await scene.startMortalDriver();
      await provide(scene, driver);
      await startUser(scene);
      await driver.kill();
      await scene.remove(pods, "user");
      await driver.start();
      await scene.untilGone(pods, "user");
      await untilCalled(driver, "NodeUnstageVolume");
    },
  },
  {
    name: "a Pod comes while its driver is dead",
    compares,
    async run(scene) {
      const driver = await scene.startMortalDriver();
      await provide(scene, driver);
      await driver.kill();
      await createPod(scene, usingClaim());
      await driver.start();
      await untilReady(scene);
      await endUser(scene, driver, "NodeUnstageVolume");
    },
  },
];

export const agentsThatDie: Scenario[] = [
  {
    name: "the agent is killed and comes back while a Pod has a volume",
    compares,
    alone: true,
    async run(scene) {
      const driver = await scene.startDriver({ options: { attaches: false }, spec: { attachRequired: false } });
      await provide(scene, driver);
      await startUser(scene);
      await scene.restartAgent();
      // Whoever can start this one has seen to that one.
      await createPod(scene, { containers: [container(serving)] }, { name: "other" });
      await untilReady(scene, "other");
      await endUser(scene, driver, "NodeUnstageVolume");
    },
  },
];
