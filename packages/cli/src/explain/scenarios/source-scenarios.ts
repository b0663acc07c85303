import {
  persistentVolumeClaims,
  snapshotAnnotations,
  volumeSnapshotClasses,
  volumeSnapshotContents,
  volumeSnapshots,
} from "@stowage/machinery";
import type { Scenario } from "../fixtures/scenario.ts";
import type { Scene } from "../fixtures/scene.ts";
import type { TestDriver } from "../fixtures/test-driver.ts";

const snapshotGroup = "snapshot.storage.k8s.io";
const fromSnapshot = (name: string) => ({ dataSource: { apiGroup: snapshotGroup, kind: "VolumeSnapshot", name } });
const fromClaim = (name: string) => ({ dataSource: { kind: "PersistentVolumeClaim", name } });

/** What claims are filled from, and snapshots. */
export const sourceScenarios: readonly Scenario[] = [
  {
    cause: "SNAPSHOT_SOURCE_MISSING",
    when: "the snapshot to restore does not exist",
    async make(scene) {
      const storageClassName = await scene.storageClass(await scene.cluster.goodDriver());
      await scene.claim("data", { storageClassName, ...fromSnapshot("monday") });
      return ["pvc", "data"];
    },
    evidence: /VolumeSnapshot shop-\d+\/monday does not exist/u,
    mend: /kubectl get volumesnapshot -n shop-\d+/u,
  },
  {
    cause: "SNAPSHOT_SOURCE_NOT_READY",
    when: "the driver is still busy with the snapshot",
    async make(scene) {
      const driver = await scene.driver({ mock: { snapshotDelayMs: 600_000 } });
      const storageClassName = await snapshotOf(scene, driver);
      await scene.claim("data", { storageClassName, ...fromSnapshot("monday") });
      return ["pvc", "data"];
    },
    evidence: /VolumeSnapshot shop-\d+\/monday status\.readyToUse false/u,
    mend: /stowage explain volumesnapshot monday -n shop-\d+/u,
  },
  {
    cause: "SNAPSHOT_SOURCE_OTHER_DRIVER",
    when: "the snapshot to restore is of another driver",
    async make(scene) {
      await readySnapshot(scene, await scene.cluster.goodDriver());
      const other = await scene.driver({ sidecars: ["provisioner"] });
      const storageClassName = await scene.storageClass(other, { metadata: { name: "other" } });
      await scene.claim("data", { storageClassName, ...fromSnapshot("monday") });
      return ["pvc", "data"];
    },
    evidence: /VolumeSnapshotContent snapcontent-\S+ spec\.driver \w+\.csi\.test/u,
    mend: /sed 's\|storageClassName: shop-\d+-other\|/u,
  },
  {
    cause: "SNAPSHOT_SOURCE_LARGER",
    when: "the claim is smaller than the snapshot",
    async make(scene) {
      const storageClassName = await readySnapshot(scene, await scene.cluster.goodDriver(), "3Gi");
      await scene.claim("data", { storageClassName, ...fromSnapshot("monday") });
      return ["pvc", "data"];
    },
    evidence: /VolumeSnapshot shop-\d+\/monday status\.restoreSize 3Gi/u,
    mend: /sed 's\|storage: 1Gi\|storage: 3Gi\|'/u,
  },
  {
    cause: "CLONE_SOURCE_MISSING",
    when: "the claim to clone does not exist",
    async make(scene) {
      const storageClassName = await scene.storageClass(await scene.cluster.goodDriver());
      await scene.claim("data", { storageClassName, ...fromClaim("original") });
      return ["pvc", "data"];
    },
    evidence: /PersistentVolumeClaim shop-\d+\/original does not exist/u,
    mend: /kubectl get pvc -n shop-\d+/u,
  },
  {
    cause: "CLONE_SOURCE_UNBOUND",
    when: "the claim to clone has no volume",
    async make(scene) {
      const storageClassName = await scene.storageClass(await scene.cluster.goodDriver());
      await scene.claim("original", { storageClassName: "nowhere" });
      await scene.claim("data", { storageClassName, ...fromClaim("original") });
      return ["pvc", "data"];
    },
    evidence: /PersistentVolumeClaim shop-\d+\/original status\.phase Pending/u,
    mend: /stowage explain pvc original -n shop-\d+/u,
  },
  {
    cause: "CLONE_SOURCE_OTHER_DRIVER",
    when: "the claim to clone has a volume of another driver",
    async make(scene) {
      await scene.boundClaim("original", await scene.storageClass(await scene.cluster.goodDriver()));
      const other = await scene.driver({ sidecars: ["provisioner"] });
      const storageClassName = await scene.storageClass(other, { metadata: { name: "other" } });
      await scene.claim("data", { storageClassName, ...fromClaim("original") });
      return ["pvc", "data"];
    },
    evidence: /PersistentVolume pvc-\S+ spec\.csi\.driver \w+\.csi\.test/u,
    mend: /sed 's\|storageClassName: (shop-\d+)-other\|storageClassName: \1-fast\|'/u,
  },
  {
    cause: "CLONE_SOURCE_OTHER_MODE",
    when: "a file system is to be cloned as a block device",
    async make(scene) {
      const storageClassName = await scene.storageClass(await scene.cluster.goodDriver());
      await scene.boundClaim("original", storageClassName);
      await scene.claim("data", { storageClassName, volumeMode: "Block", ...fromClaim("original") });
      return ["pvc", "data"];
    },
    evidence: /data spec\.volumeMode Block\n.*original spec\.volumeMode Filesystem/u,
    mend: /sed 's\|volumeMode: Block\|volumeMode: Filesystem\|'/u,
  },
  {
    cause: "CLONE_SOURCE_LARGER",
    when: "the claim is smaller than the one to clone",
    async make(scene) {
      const storageClassName = await scene.storageClass(await scene.cluster.goodDriver());
      await scene.boundClaim("original", storageClassName, { size: "4Gi" });
      await scene.claim("data", { storageClassName, ...fromClaim("original") });
      return ["pvc", "data"];
    },
    evidence: /data spec\.resources\.requests\.storage 1Gi\n.*original spec\.resources\.requests\.storage 4Gi/u,
    mend: /sed 's\|storage: 1Gi\|storage: 4Gi\|'/u,
  },
  {
    cause: "POPULATOR_UNKNOWN",
    when: "a claim is to be filled from a kind that nobody knows",
    async make(scene) {
      const storageClassName = await scene.storageClass(await scene.cluster.goodDriver());
      const dataSourceRef = { apiGroup: "backup.example.org", kind: "Backup", name: "monday" };
      await scene.claim("data", { storageClassName, dataSourceRef });
      return ["pvc", "data"];
    },
    evidence: /spec\.dataSourceRef Backup shop-\d+\/monday\nVolumePopulators 0, none for Backup/u,
    mend: /kubectl get volumepopulators/u,
  },
  {
    cause: "SOURCE_NAMESPACE_DROPPED",
    when: "a claim was applied with a snapshot of another namespace as its source",
    async make(scene) {
      const storageClassName = await scene.storageClass(await scene.cluster.goodDriver());
      const apiGroup = "snapshot.storage.k8s.io";
      const dataSourceRef = { apiGroup, kind: "VolumeSnapshot", name: "monday", namespace: "archive" };
      // As kubectl marks what it applies.
      const annotations = {
        "kubectl.kubernetes.io/last-applied-configuration": JSON.stringify({ spec: { dataSourceRef } }),
      };
      await scene.claim("data", { storageClassName, dataSourceRef }, { annotations });
      return ["pvc", "data"];
    },
    evidence:
      /last-applied-configuration spec\.dataSourceRef VolumeSnapshot archive\/monday\n.* spec\.dataSourceRef not set/u,
    mend: /kubectl get volumesnapshot monday -n archive\nkubectl delete persistentvolumeclaim data -n shop-\d+/u,
  },
  {
    cause: "CLAIM_DELETED_WHILE_COPIED",
    when: "a claim is deleted before its snapshot is taken",
    async make(scene) {
      const fault = { method: "CreateSnapshot", kind: "fail", code: "UNAVAILABLE" } as const;
      await snapshotOf(scene, await scene.driver({ faults: [fault] }));
      const isHeld = ({ metadata }: { metadata: { finalizers?: string[] } }) =>
        (metadata.finalizers ?? []).some((each) => each.includes("pvc-as-source"));
      await scene.until(persistentVolumeClaims, "original", isHeld);
      await scene.client.delete(persistentVolumeClaims, { namespace: scene.namespace, name: "original" });
      return ["pvc", "original"];
    },
    evidence: /pvc-as-source-protection\nVolumeSnapshot shop-\d+\/monday/u,
    mend: /stowage explain volumesnapshot monday -n shop-\d+/u,
  },
  {
    cause: "SNAPSHOT_CLAIM_MISSING",
    when: "a snapshot is to be taken of a claim that does not exist",
    async make(scene) {
      await takeSnapshot(scene, await snapshotClass(scene, "any.csi.test"));
      return ["volumesnapshot", "monday"];
    },
    evidence: /PersistentVolumeClaim shop-\d+\/original does not exist/u,
    mend: /kubectl get pvc -n shop-\d+/u,
  },
  {
    cause: "SNAPSHOT_CLAIM_UNBOUND",
    when: "a snapshot is to be taken of a claim without a volume",
    async make(scene) {
      await scene.claim("original", { storageClassName: "nowhere" });
      await takeSnapshot(scene, await snapshotClass(scene, "any.csi.test"));
      return ["volumesnapshot", "monday"];
    },
    evidence: /PersistentVolumeClaim shop-\d+\/original status\.phase Pending/u,
    mend: /stowage explain pvc original -n shop-\d+/u,
  },
  {
    cause: "SNAPSHOT_VOLUME_NOT_CSI",
    when: "the volume is of no CSI driver",
    async make(scene) {
      await scene.volume("one", { storageClassName: "" });
      await scene.boundClaim("original", "", { volumeName: scene.own("one") });
      await takeSnapshot(scene, await snapshotClass(scene, "any.csi.test"));
      return ["volumesnapshot", "monday"];
    },
    evidence: /PersistentVolume shop-\d+-one spec .*hostPath/u,
    mend: /kubectl delete volumesnapshot monday -n shop-\d+/u,
  },
  {
    cause: "SNAPSHOT_CLASS_MISSING",
    when: "a snapshot names a class that nobody made",
    async make(scene) {
      await scene.boundClaim("original", await scene.storageClass(await scene.cluster.goodDriver()));
      await takeSnapshot(scene, "nowhere");
      return ["volumesnapshot", "monday"];
    },
    evidence: /VolumeSnapshotClass nowhere does not exist/u,
    mend: /sed 's\|volumeSnapshotClassName: nowhere\|/u,
  },
  {
    cause: "SNAPSHOT_CLASS_OTHER_DRIVER",
    when: "the class is of another driver than the volume",
    async make(scene) {
      await scene.boundClaim("original", await scene.storageClass(await scene.cluster.goodDriver()));
      await takeSnapshot(scene, await snapshotClass(scene, "other.csi.test"));
      return ["volumesnapshot", "monday"];
    },
    evidence: /VolumeSnapshotClass shop-\d+-snapshots driver other\.csi\.test/u,
    mend: /kubectl get volumesnapshotclass/u,
  },
  {
    cause: "SNAPSHOT_CLASS_NO_DEFAULT",
    when: "a snapshot names no class and the driver has no default",
    async make(scene) {
      const driver = await scene.driver();
      await scene.boundClaim("original", await scene.storageClass(driver));
      await snapshotClass(scene, driver.name);
      await takeSnapshot(scene, undefined);
      return ["volumesnapshot", "monday"];
    },
    evidence: /VolumeSnapshotClasses 1 of driver \w+\.csi\.test, none with/u,
    mend: /kubectl annotate volumesnapshotclass shop-\d+-snapshots snapshot\.storage\.kubernetes\.io\/is-default-class=true/u,
  },
  {
    cause: "SNAPSHOT_CLASSES_SEVERAL_DEFAULTS",
    when: "a snapshot names no class and the driver has two defaults",
    async make(scene) {
      const driver = await scene.driver();
      await scene.boundClaim("original", await scene.storageClass(driver));
      for (const name of ["one", "two"]) {
        const annotations = { [snapshotAnnotations.isDefaultClass]: "true" };
        await scene.client.create(volumeSnapshotClasses, {
          metadata: { name: scene.own(name), annotations },
          driver: driver.name,
          deletionPolicy: "Delete",
        });
      }
      await takeSnapshot(scene, undefined);
      return ["volumesnapshot", "monday"];
    },
    evidence: /VolumeSnapshotClass shop-\d+-one [^]*VolumeSnapshotClass shop-\d+-two /u,
    mend: /kubectl annotate volumesnapshotclass shop-\d+-two \S+is-default-class-$/u,
  },
  {
    cause: "SNAPSHOT_CONTENT_MISSING",
    when: "a snapshot names a content that does not exist",
    async make(scene) {
      await scene.client.create(volumeSnapshots, {
        metadata: { namespace: scene.namespace, name: "monday" },
        spec: { source: { volumeSnapshotContentName: "nowhere" } },
      });
      return ["volumesnapshot", "monday"];
    },
    evidence: /VolumeSnapshotContent nowhere does not exist/u,
    mend: /kubectl apply -f CONTENT\.yaml/u,
  },
  {
    cause: "SNAPSHOT_REFUSED",
    when: "the driver cannot take the snapshot",
    async make(scene) {
      const fault = { method: "CreateSnapshot", kind: "fail", code: "RESOURCE_EXHAUSTED", message: "no room" } as const;
      await snapshotOf(scene, await scene.driver({ faults: [fault] }));
      return ["volumesnapshot", "monday"];
    },
    evidence: /VolumeSnapshotContent snapcontent-\S+ status\.error\.message .*ResourceExhausted desc = no room/u,
    mend: /kubectl describe volumesnapshotcontent snapcontent-/u,
  },
  {
    cause: "SNAPSHOT_DELETION_REFUSED",
    when: "the driver cannot delete the snapshot",
    async make(scene) {
      const fault = { method: "DeleteSnapshot", kind: "fail", code: "INTERNAL", message: "stuck" } as const;
      await readySnapshot(scene, await scene.driver({ faults: [fault] }));
      await scene.client.delete(volumeSnapshots, { namespace: scene.namespace, name: "monday" });
      return ["volumesnapshot", "monday"];
    },
    evidence: /VolumeSnapshotContent snapcontent-\S+ .*code = Internal desc = stuck/u,
    mend: /kubectl describe volumesnapshotcontent snapcontent-/u,
  },
  {
    cause: "SNAPSHOTTER_ABSENT",
    when: "nothing runs the driver's snapshotter",
    async make(scene) {
      await snapshotOf(scene, await scene.driver({ sidecars: ["provisioner"] }));
      return ["volumesnapshot", "monday"];
    },
    evidence: /Lease external-snapshotter-leader-\S+ is in no namespace/u,
    mend: /kubectl apply -f DRIVER\.yaml/u,
  },
  {
    cause: "SNAPSHOT_HELD_BY_RESTORE",
    when: "a snapshot is deleted while a claim is filled from it",
    async make(scene) {
      const driver = await scene.driver();
      const storageClassName = await readySnapshot(scene, driver);
      driver.control.addFault({ method: "CreateVolume", kind: "fail", code: "UNAVAILABLE" });
      await scene.claim("copy", { storageClassName, ...fromSnapshot("monday") });
      const isSeen = ({ metadata }: { metadata: { finalizers?: string[] } }) =>
        (metadata.finalizers ?? []).some((each) => each.startsWith("provisioner."));
      await scene.until(volumeSnapshots, "monday", isSeen);
      await scene.client.delete(volumeSnapshots, { namespace: scene.namespace, name: "monday" });
      return ["volumesnapshot", "monday"];
    },
    evidence: /PersistentVolumeClaim shop-\d+\/copy spec\.dataSource VolumeSnapshot monday/u,
    mend: /stowage explain pvc copy -n shop-\d+/u,
  },
  {
    cause: "SNAPSHOT_FAILED",
    when: "the content that a snapshot names belongs to another",
    async make(scene) {
      const { name: driver } = await scene.cluster.goodDriver();
      await scene.client.create(volumeSnapshotContents, {
        metadata: { name: scene.own("content") },
        spec: {
          driver,
          deletionPolicy: "Retain",
          source: { snapshotHandle: "handle" },
          volumeSnapshotRef: { namespace: scene.namespace, name: "tuesday" },
        },
      });
      await scene.client.create(volumeSnapshots, {
        metadata: { namespace: scene.namespace, name: "monday" },
        spec: { source: { volumeSnapshotContentName: scene.own("content") } },
      });
      return ["volumesnapshot", "monday"];
    },
    evidence: /VolumeSnapshot shop-\d+\/monday status\.error\.message .*shop-\d+-content/u,
    mend: /kubectl describe volumesnapshot monday -n shop-\d+/u,
  },
  {
    cause: "SNAPSHOT_MISSING",
    when: "a snapshot is asked for that does not exist",
    make: async () => ["volumesnapshot", "nobody"],
    evidence: /VolumeSnapshot shop-\d+\/nobody does not exist/u,
    mend: /kubectl get volumesnapshot -n shop-\d+/u,
  },
];

async function snapshotClass(scene: Scene, driver: string): Promise<string> {
  const name = scene.own("snapshots");
  await scene.client.create(volumeSnapshotClasses, { metadata: { name }, driver, deletionPolicy: "Delete" });
  return name;
}

async function takeSnapshot(scene: Scene, volumeSnapshotClassName: string | undefined): Promise<void> {
  await scene.client.create(volumeSnapshots, {
    metadata: { namespace: scene.namespace, name: "monday" },
    spec: {
      source: { persistentVolumeClaimName: "original" },
      ...(volumeSnapshotClassName !== undefined && { volumeSnapshotClassName }),
    },
  });
}

/** Of a claim `original` that has its volume. Returns the name of the claim's class. */
async function snapshotOf(scene: Scene, driver: TestDriver, size = "1Gi"): Promise<string> {
  const storageClassName = await scene.storageClass(driver);
  await scene.boundClaim("original", storageClassName, { size });
  await takeSnapshot(scene, await snapshotClass(scene, driver.name));
  return storageClassName;
}

async function readySnapshot(scene: Scene, driver: TestDriver, size = "1Gi"): Promise<string> {
  const storageClassName = await snapshotOf(scene, driver, size);
  await scene.until(volumeSnapshots, "monday", ({ status }) => status?.readyToUse === true);
  return storageClassName;
}
