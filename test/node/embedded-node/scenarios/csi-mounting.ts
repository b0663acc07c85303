import { type CSIDriverSpec, persistentVolumeClaims, persistentVolumes, pods, secrets } from "@stowage/machinery";
import { endUser, provide, startUser, untilCalled, usingClaim, type VolumeWish, volumeMounts } from "../csi-objects.ts";
import { container, createPod, runOnce, saying, serving, untilReady } from "../pod-objects.ts";
import type { Scenario, Scene } from "../scenario.ts";

const compares = [pods, persistentVolumes, persistentVolumeClaims];
const events = ["Pod"];
const spec: CSIDriverSpec = { attachRequired: false };

async function makeSecret(scene: Scene, name: string): Promise<void> {
  await scene.create(secrets, { metadata: { name }, stringData: { for: name } });
}

/** A Pod has the volume, and then has gone: all calls of a volume's life on the node. */
const life = (name: string, driverSpec: CSIDriverSpec, wish: VolumeWish = {}): Scenario => ({
  name,
  compares,
  events,
  async run(scene) {
    const driver = await scene.startDriver({ options: { attaches: false }, spec: { ...spec, ...driverSpec } });
    await provide(scene, driver, wish);
    await startUser(scene);
    await endUser(scene, driver, "NodeUnstageVolume");
  },
});

export const lives: Scenario[] = [
  life("a volume is staged and published, and given back", {}),
  life("a driver that wants to know of Pods", { podInfoOnMount: true }),
  life("a file system with options", {}, { spec: { mountOptions: ["noatime", "discard"] }, csi: { fsType: "xfs" } }),
  life("no file system is named", {}, { csi: { fsType: undefined } }),
  life(
    "a volume of many writers",
    {},
    {
      spec: { accessModes: ["ReadWriteMany"] },
      claim: { accessModes: ["ReadWriteMany"] },
    },
  ),
  life(
    "a volume of many readers",
    {},
    {
      spec: { accessModes: ["ReadOnlyMany"] },
      claim: { accessModes: ["ReadOnlyMany"] },
    },
  ),
  life(
    "a volume of one Pod",
    {},
    {
      spec: { accessModes: ["ReadWriteOncePod"] },
      claim: { accessModes: ["ReadWriteOncePod"] },
    },
  ),
  life("a volume of several access modes", {}, { spec: { accessModes: ["ReadWriteOnce", "ReadOnlyMany"] } }),
  life("a volume that can only be read", {}, { csi: { readOnly: true } }),
  life("a driver that wants tokens", {
    tokenRequests: [{ audience: "" }, { audience: "vault", expirationSeconds: 700 }],
  }),
  life("a driver that wants tokens among the secrets", {
    tokenRequests: [{ audience: "vault" }],
    serviceAccountTokenInSecrets: true,
  }),
  {
    name: "secrets go along with each call",
    compares,
    async run(scene) {
      const stage = { NodeStageVolumeSecret: { for: "stage" }, NodePublishVolumeSecret: { for: "publish" } };
      const driver = await scene.startDriver({ options: { attaches: false, secrets: stage }, spec });
      for (const name of ["stage", "publish"]) await makeSecret(scene, name);
      const ref = (name: string) => ({ name, namespace: scene.namespace });
      await provide(scene, driver, { csi: { nodeStageSecretRef: ref("stage"), nodePublishSecretRef: ref("publish") } });
      await startUser(scene);
      await endUser(scene, driver, "NodeUnstageVolume");
    },
  },
  {
    name: "a Pod that only reads",
    compares,
    async run(scene) {
      const driver = await scene.startDriver({ options: { attaches: false }, spec });
      await provide(scene, driver);
      const volumes = [{ name: "data", persistentVolumeClaim: { claimName: "data", readOnly: true } }];
      await startUser(scene, { volumes, containers: [container(serving, { volumeMounts })] });
      await endUser(scene, driver, "NodeUnstageVolume");
    },
  },
  {
    name: "two Pods share a volume",
    compares,
    async run(scene) {
      const driver = await scene.startDriver({ options: { attaches: false }, spec });
      await provide(scene, driver, {
        spec: { accessModes: ["ReadWriteMany"] },
        claim: { accessModes: ["ReadWriteMany"] },
      });
      await startUser(scene);
      await createPod(scene, usingClaim(), { name: "other" });
      await untilReady(scene, "other");
      await scene.remove(pods, "other");
      await scene.untilGone(pods, "other");
      await untilCalled(driver, "NodeUnpublishVolume");
      await endUser(scene, driver, "NodeUnstageVolume");
    },
  },
  {
    name: "a volume is published again and again to a driver that wants it so",
    compares,
    async run(scene) {
      const driver = await scene.startDriver({
        options: { attaches: false },
        spec: { ...spec, requiresRepublish: true },
        repeats: true,
      });
      await provide(scene, driver);
      await startUser(scene);
      await untilCalled(driver, "NodePublishVolume", 2);
      await endUser(scene, driver, "NodeUnstageVolume");
    },
  },
  {
    name: "a Pod that has succeeded gives its volume back",
    compares,
    async run(scene) {
      const driver = await scene.startDriver({ options: { attaches: false }, spec });
      await provide(scene, driver);
      await runOnce(scene, usingClaim("exit 0"));
      await untilCalled(driver, "NodeUnstageVolume");
    },
  },
];

const show = "stat -c '%A %u %g' /data; touch /data/new; stat -c '%A %u %g' /data/new";
const grouped = (name: string, fsGroupPolicy: string, wish: VolumeWish = {}): Scenario => ({
  name,
  compares,
  async run(scene) {
    const driver = await scene.startDriver({
      options: { attaches: false },
      spec: { ...spec, fsGroupPolicy },
    });
    await provide(scene, driver, wish);
    const securityContext = { fsGroup: 12004 };
    await runOnce(scene, { ...usingClaim(), containers: [saying(show, { volumeMounts })], securityContext });
  },
});

export const groups: Scenario[] = [
  grouped("the Pod's group, whatever the volume is", "File", {
    spec: { accessModes: ["ReadWriteMany"] },
    claim: { accessModes: ["ReadWriteMany"] },
    csi: { fsType: undefined },
  }),
  grouped("no group of the Pod's", "None"),
  grouped("the Pod's group on a volume of one node with a file system", "ReadWriteOnceWithFSType"),
  grouped("no group of the Pod's on a volume of many nodes", "ReadWriteOnceWithFSType", {
    spec: { accessModes: ["ReadWriteMany"] },
    claim: { accessModes: ["ReadWriteMany"] },
  }),
  {
    name: "parts of a driver's volume",
    compares,
    async run(scene) {
      const driver = await scene.startDriver({ options: { attaches: false }, spec });
      await provide(scene, driver);
      const mounts = [
        { name: "data", mountPath: "/one", subPath: "a/b" },
        { name: "data", mountPath: "/two", subPath: "c", readOnly: true },
      ];
      const main = saying("touch /one/x; touch /two/y; stat -c '%n %A %u %g' /one /two", { volumeMounts: mounts });
      await runOnce(scene, { ...usingClaim(), containers: [main] });
    },
  },
];

export const inline: Scenario[] = [
  {
    name: "a volume that the Pod itself describes",
    compares,
    events,
    async run(scene) {
      const driver = await scene.startDriver({
        options: { secrets: { NodePublishVolumeSecret: { for: "publish" } } },
        spec: { ...spec, podInfoOnMount: true, volumeLifecycleModes: ["Ephemeral"] },
      });
      await makeSecret(scene, "publish");
      const csi = {
        driver: scene.driverName,
        fsType: "ext4",
        volumeAttributes: { size: "1Gi" },
        nodePublishSecretRef: { name: "publish" },
      };
      await startUser(scene, {
        volumes: [{ name: "data", csi }],
        containers: [container(serving, { volumeMounts })],
      });
      await endUser(scene, driver, "NodeUnpublishVolume");
    },
  },
  {
    name: "a volume that the Pod itself describes, and only reads",
    compares,
    async run(scene) {
      const driver = await scene.startDriver({
        spec: { ...spec, podInfoOnMount: true, volumeLifecycleModes: ["Ephemeral", "Persistent"] },
      });
      const csi = { driver: scene.driverName, readOnly: true };
      const containers = [container(serving, { volumeMounts })];
      await startUser(scene, { volumes: [{ name: "data", csi }], containers });
      await endUser(scene, driver, "NodeUnpublishVolume");
    },
  },
];
