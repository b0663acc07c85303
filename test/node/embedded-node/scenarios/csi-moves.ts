import {
  csiNodes,
  type Node,
  nodes,
  type PodSpec,
  persistentVolumeClaims,
  persistentVolumes,
  pods,
  volumeAttachments,
} from "@stowage/machinery";
import { endUser, provide, startUser, untilCalled, usingClaim } from "../csi-objects.ts";
import { createPod, untilReady, untilTold } from "../pod-objects.ts";
import type { Driver, Scenario, Scene } from "../scenario.ts";

const compares = [pods, persistentVolumes, persistentVolumeClaims, volumeAttachments];
const elsewhere = ({ id }: Scene) => `node-${id}`;
const managed: Node["metadata"] = {
  annotations: { "volumes.kubernetes.io/controller-managed-attach-detach": "true" },
};

/** A second node, on which nobody runs anything: volumes are attached there and detached again, which is the controllers' part. */
async function startWithTwoNodes(scene: Scene): Promise<Driver> {
  const driver = await scene.startDriver({
    spec: { attachRequired: true },
    options: { attachableNodes: "any" },
    sidecars: ["attacher"],
  });
  const name = elsewhere(scene);
  await scene.create(nodes, { metadata: { ...managed, name } });
  await scene.create(csiNodes, {
    metadata: { name },
    spec: { drivers: [{ name: scene.driverName, nodeID: name, topologyKeys: [] }] },
  });
  await provide(scene, driver);
  return driver;
}

const on = (nodeName: string): PodSpec => ({ ...usingClaim(), nodeName });

async function startElsewhere(scene: Scene, name: string): Promise<void> {
  await createPod(scene, on(elsewhere(scene)), { name });
  await scene.untilAll(volumeAttachments, (all) =>
    all.some(({ spec, status }) => spec.nodeName === elsewhere(scene) && status?.attached),
  );
}

/** Of a Pod of a node where nobody sees to its end. */
async function forget(scene: Scene, name: string): Promise<void> {
  await scene.client.delete(pods, { namespace: scene.namespace, name }, { gracePeriodSeconds: 0 });
  await scene.untilGone(pods, name);
}

export const moves: Scenario[] = [
  {
    name: "a volume comes from another node",
    compares,
    async run(scene) {
      const driver = await startWithTwoNodes(scene);
      await startElsewhere(scene, "first");
      await forget(scene, "first");
      await untilCalled(driver, "ControllerUnpublishVolume");
      await startUser(scene, on(scene.nodeName));
      await endUser(scene, driver, "NodeUnstageVolume");
      await untilCalled(driver, "ControllerUnpublishVolume", 2);
    },
  },
  {
    name: "a volume goes to another node",
    compares,
    async run(scene) {
      const driver = await startWithTwoNodes(scene);
      await startUser(scene, on(scene.nodeName));
      await endUser(scene, driver, "ControllerUnpublishVolume");
      await startElsewhere(scene, "second");
    },
  },
  {
    name: "a Pod waits for a volume that another node has",
    compares,
    events: ["Pod"],
    eventCounts: false,
    async run(scene) {
      const driver = await startWithTwoNodes(scene);
      await startElsewhere(scene, "first");
      await createPod(scene, on(scene.nodeName));
      await untilTold(scene, "FailedAttachVolume");
      await forget(scene, "first");
      await untilReady(scene);
      await untilCalled(driver, "NodePublishVolume");
    },
  },
];
