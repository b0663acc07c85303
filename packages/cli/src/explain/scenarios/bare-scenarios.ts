import { defaultClassAnnotations, storageClasses, volumeSnapshotClasses, volumeSnapshots } from "@stowage/machinery";
import type { Scenario } from "../fixtures/scenario.ts";

const isDefault = { [defaultClassAnnotations[0]]: "true" };

/** What concerns a whole cluster: each on one of its own, without nodes, classes and CRDs. */
export const bareScenarios: readonly Scenario[] = [
  {
    cause: "CLASS_NONE_AND_NO_DEFAULT",
    when: "a claim names no class and there is no default",
    async make(scene) {
      await scene.storageClass("any.csi.test");
      await scene.claim("data");
      return ["pvc", "data"];
    },
    evidence: /data spec\.storageClassName not set\nStorageClasses 1, none with storageclass\.kubernetes\.io/u,
    mend: /kubectl annotate storageclass shop-\d+-fast storageclass\.kubernetes\.io\/is-default-class=true/u,
  },
  {
    cause: "CLASSES_SEVERAL_DEFAULTS",
    when: "two classes are the default",
    async make(scene) {
      const { name: provisioner } = await scene.driver({ sidecars: [] });
      for (const name of ["gold", "silver"]) {
        await scene.client.create(storageClasses, { metadata: { name, annotations: isDefault }, provisioner });
      }
      return ["storageclass", "gold"];
    },
    evidence: /StorageClass gold metadata\.annotations\S+ true\nStorageClass silver metadata\.annotations\S+ true/u,
    mend: /kubectl annotate storageclass silver storageclass\.kubernetes\.io\/is-default-class-/u,
  },
  {
    cause: "CLUSTER_WITHOUT_NODES",
    when: "there are no nodes at all",
    async make(scene) {
      await scene.pod("web");
      return ["pod", "web"];
    },
    evidence: /Pod shop-\d+\/web status\.conditions\[PodScheduled\] .*no nodes available|0\/0 nodes/u,
    mend: /kubectl get nodes/u,
  },
  {
    cause: "SNAPSHOT_CRDS_MISSING",
    when: "the cluster does not know snapshots",
    make: async () => ["volumesnapshot", "monday"],
    evidence: /CustomResourceDefinition volumesnapshots\.snapshot\.storage\.k8s\.io does not exist/u,
    mend: /kubectl apply -f packages\/sidecars\/crds\//u,
  },
  {
    cause: "GROUP_SNAPSHOT_CRDS_MISSING",
    when: "the cluster does not know group snapshots",
    make: async () => ["volumegroupsnapshot", "monday"],
    evidence: /CustomResourceDefinition volumegroupsnapshots\.groupsnapshot\.storage\.k8s\.io does not exist/u,
    mend: /kubectl apply -f packages\/sidecars\/crds\//u,
  },
];

/** On a cluster that knows snapshots, and has nobody who takes them. */
export const uncontrolledSnapshot: Scenario = {
  cause: "SNAPSHOT_CONTROLLER_ABSENT",
  when: "nothing runs the snapshot controller",
  async make(scene) {
    const driver = await scene.cluster.goodDriver();
    await scene.boundClaim("original", await scene.storageClass(driver));
    const name = scene.own("snapshots");
    await scene.client.create(volumeSnapshotClasses, {
      metadata: { name },
      driver: driver.name,
      deletionPolicy: "Delete",
    });
    await scene.client.create(volumeSnapshots, {
      metadata: { namespace: scene.namespace, name: "monday" },
      spec: { source: { persistentVolumeClaimName: "original" }, volumeSnapshotClassName: name },
    });
    return ["volumesnapshot", "monday"];
  },
  evidence: /Lease snapshot-controller-leader is held by nobody\nVolumeSnapshot shop-\d+\/monday status not set/u,
  mend: /kubectl apply -f SNAPSHOT-CONTROLLER\.yaml/u,
};
