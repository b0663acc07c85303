import { persistentVolumeClaims, volumeGroupSnapshotClasses, volumeGroupSnapshots } from "@stowage/machinery";
import type { Scenario } from "../fixtures/scenario.ts";
import type { Scene } from "../fixtures/scene.ts";
import type { TestDriver } from "../fixtures/test-driver.ts";

/** Snapshots of several claims at one moment. */
export const groupScenarios: readonly Scenario[] = [
  {
    cause: "GROUP_SNAPSHOT_MISSING",
    when: "a group snapshot is asked for that does not exist",
    make: async () => ["volumegroupsnapshot", "nobody"],
    evidence: /VolumeGroupSnapshot shop-\d+\/nobody does not exist/u,
    mend: /kubectl get volumegroupsnapshot -n shop-\d+/u,
  },
  {
    cause: "GROUP_SNAPSHOT_CLASS_MISSING",
    when: "a group snapshot names a class that nobody made",
    async make(scene) {
      await member(scene, "one", await scene.cluster.goodDriver());
      return takeGroup(scene, "nowhere");
    },
    evidence: /VolumeGroupSnapshotClass nowhere does not exist/u,
    mend: /sed 's\|volumeGroupSnapshotClassName: nowhere\|/u,
  },
  {
    cause: "GROUP_SNAPSHOT_SELECTS_NONE",
    when: "no claim has the labels",
    async make(scene) {
      return takeGroup(scene, await groupClass(scene, "any.csi.test"));
    },
    evidence: /spec\.source\.selector app=shop\nPersistentVolumeClaims none of the namespace has these labels/u,
    mend: /kubectl label pvc CLAIM app=shop -n shop-\d+/u,
  },
  {
    cause: "GROUP_SNAPSHOT_CLAIM_UNBOUND",
    when: "one of the claims has no volume",
    async make(scene) {
      const driver = await scene.cluster.goodDriver();
      await member(scene, "one", driver);
      await labelled(scene, "two", "nowhere");
      return takeGroup(scene, await groupClass(scene, driver.name));
    },
    evidence: /PersistentVolumeClaim shop-\d+\/two status\.phase Pending/u,
    mend: /stowage explain pvc two -n shop-\d+/u,
  },
  {
    cause: "GROUP_SNAPSHOT_OTHER_DRIVER",
    when: "one of the volumes is of another driver than the class",
    async make(scene) {
      await member(scene, "one", await scene.cluster.goodDriver());
      return takeGroup(scene, await groupClass(scene, "other.csi.test"));
    },
    evidence:
      /VolumeGroupSnapshotClass \S+ driver other\.csi\.test\nPersistentVolume \S+ spec\.csi\.driver \w+\.csi\.test/u,
    mend: /kubectl get volumegroupsnapshotclass/u,
  },
  {
    cause: "GROUP_SNAPSHOT_REFUSED",
    when: "the driver cannot take the snapshots",
    async make(scene) {
      const fault = {
        method: "CreateVolumeGroupSnapshot",
        kind: "fail",
        code: "INTERNAL",
        message: "no room",
      } as const;
      const driver = await scene.driver({ faults: [fault] });
      await member(scene, "one", driver);
      return takeGroup(scene, await groupClass(scene, driver.name));
    },
    evidence: /VolumeGroupSnapshotContent \S+ status\.error\.message .*code = Internal desc = no room/u,
    mend: /kubectl describe volumegroupsnapshotcontent \S+/u,
  },
  {
    cause: "GROUP_SNAPSHOT_FAILED",
    when: "a group snapshot names no class and the driver has no default",
    async make(scene) {
      await member(scene, "one", await scene.driver());
      return takeGroup(scene, undefined);
    },
    evidence: /VolumeGroupSnapshot shop-\d+\/monday status\.error\.message Failed to set default group snapshot class/u,
    mend: /kubectl describe volumegroupsnapshot monday -n shop-\d+/u,
  },
];

const labels = { app: "shop" };

/** A claim of the group that has its volume. */
async function member(scene: Scene, name: string, driver: TestDriver): Promise<void> {
  await labelled(scene, name, await scene.storageClass(driver));
  await scene.until(persistentVolumeClaims, name, ({ status }) => status?.phase === "Bound");
}

async function labelled(scene: Scene, name: string, storageClassName: string): Promise<void> {
  await scene.claim(name, { storageClassName }, { labels });
}

async function groupClass(scene: Scene, driver: string): Promise<string> {
  const name = scene.own("groups");
  await scene.client.create(volumeGroupSnapshotClasses, { metadata: { name }, driver, deletionPolicy: "Delete" });
  return name;
}

async function takeGroup(scene: Scene, className: string | undefined): Promise<["volumegroupsnapshot", string]> {
  await scene.client.create(volumeGroupSnapshots, {
    metadata: { namespace: scene.namespace, name: "monday" },
    spec: {
      source: { selector: { matchLabels: labels } },
      ...(className !== undefined && { volumeGroupSnapshotClassName: className }),
    },
  });
  return ["volumegroupsnapshot", "monday"];
}
