import {
  persistentVolumeClaims,
  persistentVolumes,
  pods,
  volumeAttachments,
  volumeAttributesClasses,
} from "@stowage/machinery";
import type { Scenario } from "../fixtures/scenario.ts";
import type { Scene } from "../fixtures/scene.ts";
import type { TestDriver } from "../fixtures/test-driver.ts";

const GIB = 1024n ** 3n;

/** Volumes on nodes, volumes that go, and volumes that grow. */
export const attachmentScenarios: readonly Scenario[] = [
  {
    cause: "NODE_WITHOUT_DRIVER",
    when: "the driver is not registered on the Pod's node",
    async make(scene) {
      await usedVolume(scene, await scene.cluster.goodDriver(), { isRegistered: false });
      return ["pod", "web"];
    },
    evidence: /CSINode shop-\d+-a spec\.drivers none/u,
    mend: /kubectl describe csinode shop-\d+-a/u,
  },
  {
    cause: "ATTACH_REFUSED",
    when: "the driver cannot attach the volume",
    async make(scene) {
      const fault = { method: "ControllerPublishVolume", kind: "fail", code: "INTERNAL", message: "no cable" } as const;
      await usedVolume(scene, await scene.driver({ faults: [fault] }));
      return ["pod", "web"];
    },
    evidence: /VolumeAttachment csi-\S+ status\.attachError\.message .*code = Internal desc = no cable/u,
    mend: /kubectl describe volumeattachment csi-/u,
  },
  {
    cause: "ATTACH_NODE_FULL",
    when: "the storage attaches no more volumes to the node",
    async make(scene) {
      const driver = await scene.driver({ mock: { maxVolumesPerNode: 1 } });
      const node = await usedVolume(scene, driver);
      const name = await attachmentOf(scene, "data");
      await scene.until(volumeAttachments, name, ({ status }) => status?.attached === true);
      await scene.boundClaim("more", scene.own("fast"));
      await scene.pod("second", { claims: ["more"], nodeName: node });
      return ["pod", "second"];
    },
    evidence: /VolumeAttachment csi-\S+ status\.attachError\.message .*ResourceExhausted/u,
    mend: /kubectl cordon shop-\d+-a/u,
  },
  {
    cause: "ATTACHER_ABSENT",
    when: "nothing runs the driver's attacher",
    async make(scene) {
      await usedVolume(scene, await scene.driver({ sidecars: ["provisioner"] }));
      return ["pod", "web"];
    },
    evidence: /Lease external-attacher-leader-\S+ is in no namespace/u,
    mend: /kubectl apply -f DRIVER\.yaml/u,
  },
  {
    cause: "MULTI_ATTACH",
    when: "a second node wants a volume that is for one",
    async make(scene) {
      const driver = await scene.cluster.goodDriver();
      await usedVolume(scene, driver);
      const name = await attachmentOf(scene, "data");
      await scene.until(volumeAttachments, name, ({ status }) => status?.attached === true);
      const other = await scene.node("b", { drivers: [{ name: driver.name }] });
      await scene.pod("second", { claims: ["data"], nodeName: other });
      return ["pod", "second"];
    },
    evidence: /VolumeAttachment csi-\S+ spec\.nodeName shop-\d+-a\n.*spec\.accessModes \["ReadWriteOnce"\]/u,
    mend: /kubectl taint node shop-\d+-a node\.kubernetes\.io\/out-of-service=/u,
  },
  {
    cause: "VOLUME_STILL_ATTACHED",
    when: "a volume is to go that a Pod on a node still has",
    async make(scene) {
      await usedVolume(scene, await scene.driver());
      const name = await attachmentOf(scene, "data");
      await scene.until(volumeAttachments, name, ({ status }) => status?.attached === true);
      return ["pv", await forceRelease(scene, "data")];
    },
    evidence: /VolumeAttachment csi-\S+ spec\.nodeName shop-\d+-a/u,
    mend: /kubectl describe volumeattachment csi-/u,
  },
  {
    cause: "DETACH_REFUSED",
    when: "the driver cannot detach a volume that is to go",
    async make(scene) {
      const fault = { method: "ControllerUnpublishVolume", kind: "fail", code: "INTERNAL", message: "stuck" } as const;
      await usedVolume(scene, await scene.driver({ faults: [fault] }));
      const name = await attachmentOf(scene, "data");
      await scene.until(volumeAttachments, name, ({ status }) => status?.attached === true);
      const volume = await forceRelease(scene, "data");
      await scene.client.delete(pods, { namespace: scene.namespace, name: "web" }, { gracePeriodSeconds: 0 });
      return ["pv", volume];
    },
    evidence: /status\.detachError\.message .*Internal desc = stuck/u,
    mend: /kubectl describe volumeattachment csi-/u,
  },
  {
    cause: "VOLUME_DELETION_REFUSED",
    when: "the driver cannot delete the volume",
    async make(scene) {
      const fault = {
        method: "DeleteVolume",
        kind: "fail",
        code: "FAILED_PRECONDITION",
        message: "has clones",
      } as const;
      const driver = await scene.driver({ faults: [fault] });
      const { spec } = await scene.boundClaim("data", await scene.storageClass(driver));
      await scene.client.delete(persistentVolumeClaims, { namespace: scene.namespace, name: "data" });
      return ["pv", spec?.volumeName ?? ""];
    },
    evidence: /PersistentVolume pvc-\S+ VolumeFailedDelete .*FailedPrecondition desc = has clones/u,
    mend: /kubectl describe pv pvc-/u,
  },
  {
    cause: "EXPANSION_REFUSED",
    when: "the driver cannot grow the volume now",
    async make(scene) {
      const fault = { method: "ControllerExpandVolume", kind: "fail", code: "INTERNAL", message: "busy" } as const;
      await grow(scene, await scene.driver({ faults: [fault] }), "3Gi");
      return ["pvc", "data"];
    },
    evidence: /VolumeResizeFailed .*Internal desc = busy/u,
    mend: /kubectl describe pvc data -n shop-\d+/u,
  },
  {
    cause: "EXPANSION_INFEASIBLE",
    when: "the storage never has volumes of that size",
    async make(scene) {
      await grow(scene, await scene.driver({ mock: { maxVolumeBytes: 2n * GIB } }), "3Gi");
      return ["pvc", "data"];
    },
    evidence: /VolumeResizeFailed [^]*status\.allocatedResourceStatuses\.storage ControllerResizeInfeasible/u,
    mend: /kubectl patch pvc data -n shop-\d+ -p .*"storage":"1Gi"/u,
  },
  {
    cause: "EXPANSION_WAITS_FOR_NO_POD",
    when: "the driver grows no volume that a Pod uses",
    async make(scene) {
      const driver = await scene.driver({ mock: { expansion: "offline" } });
      await usedVolume(scene, driver);
      const name = await attachmentOf(scene, "data");
      await scene.until(volumeAttachments, name, ({ status }) => status?.attached === true);
      await request(scene, "3Gi");
      return ["pvc", "data"];
    },
    evidence: /VolumeResizeFailed [^]*Pod shop-\d+\/web status\.phase/u,
    mend: /kubectl delete pod web -n shop-\d+/u,
  },
  {
    cause: "EXPANSION_WAITS_FOR_POD",
    when: "the volume has grown and no Pod is there to grow the file system",
    async make(scene) {
      await grow(scene, await scene.cluster.goodDriver(), "3Gi");
      return ["pvc", "data"];
    },
    evidence: /status\.conditions\[FileSystemResizePending\]/u,
    mend: /kubectl get pods -n shop-\d+/u,
  },
  {
    cause: "RESIZER_ABSENT",
    when: "nothing runs the driver's resizer",
    async make(scene) {
      await grow(scene, await scene.driver({ sidecars: ["provisioner"] }), "3Gi");
      return ["pvc", "data"];
    },
    evidence: /Lease external-resizer-\S+ is in no namespace/u,
    mend: /kubectl apply -f DRIVER\.yaml/u,
  },
  {
    cause: "ATTRIBUTES_CLASS_MISSING",
    when: "a claim names a VolumeAttributesClass that nobody made",
    async make(scene) {
      await scene.boundClaim("data", await scene.storageClass(await scene.cluster.goodDriver()));
      await modify(scene, "nowhere");
      return ["pvc", "data"];
    },
    evidence: /VolumeAttributesClass nowhere does not exist/u,
    mend: /kubectl get volumeattributesclass/u,
  },
  {
    cause: "ATTRIBUTES_INFEASIBLE",
    when: "the driver does not know what a VolumeAttributesClass sets",
    async make(scene) {
      const driver = await scene.cluster.goodDriver();
      await scene.boundClaim("data", await scene.storageClass(driver));
      const metadata = { name: scene.own("odd") };
      await scene.client.create(volumeAttributesClasses, {
        metadata,
        driverName: driver.name,
        parameters: { colour: "red" },
      });
      await modify(scene, scene.own("odd"));
      return ["pvc", "data"];
    },
    evidence: /status\.modifyVolumeStatus\.status Infeasible\n.*VolumeModifyFailed/u,
    mend: /kubectl get volumeattributesclass shop-\d+-odd -o yaml/u,
  },
];

/** A Pod `web` on a node with a claim `data` of the driver. Returns the node's name. */
async function usedVolume(scene: Scene, driver: TestDriver, { isRegistered = true } = {}): Promise<string> {
  const nodeName = await scene.node("a", { drivers: isRegistered ? [{ name: driver.name }] : [] });
  await scene.boundClaim("data", await scene.storageClass(driver, { allowVolumeExpansion: true }));
  await scene.pod("web", { claims: ["data"], nodeName });
  return nodeName;
}

/** The name of the VolumeAttachment of the claim's volume, once it is there. */
async function attachmentOf(scene: Scene, claimName: string): Promise<string> {
  const { spec } = await scene.client.get(persistentVolumeClaims, { namespace: scene.namespace, name: claimName });
  const attached = await scene.untilAny(
    volumeAttachments,
    (each) => each.spec.source.persistentVolumeName === spec?.volumeName,
  );
  return attached.metadata.name ?? "";
}

/** As when somebody takes a claim away by force, though a Pod uses it. Returns the volume's name. */
async function forceRelease(scene: Scene, name: string): Promise<string> {
  const ref = { namespace: scene.namespace, name };
  const { spec } = await scene.client.get(persistentVolumeClaims, ref);
  await scene.client.delete(persistentVolumeClaims, ref);
  await scene.client.patch(persistentVolumeClaims, ref, { type: "merge", patch: { metadata: { finalizers: null } } });
  await scene.until(persistentVolumes, spec?.volumeName ?? "", ({ status }) => status?.phase === "Released");
  return spec?.volumeName ?? "";
}

async function grow(scene: Scene, driver: TestDriver, size: string): Promise<void> {
  await scene.boundClaim("data", await scene.storageClass(driver, { allowVolumeExpansion: true }));
  await request(scene, size);
}

async function request(scene: Scene, storage: string): Promise<void> {
  const patch = { spec: { resources: { requests: { storage } } } };
  await scene.client.patch(
    persistentVolumeClaims,
    { namespace: scene.namespace, name: "data" },
    { type: "merge", patch },
  );
}

async function modify(scene: Scene, volumeAttributesClassName: string): Promise<void> {
  const ref = { namespace: scene.namespace, name: "data" };
  await scene.client.patch(persistentVolumeClaims, ref, {
    type: "merge",
    patch: { spec: { volumeAttributesClassName } },
  });
}
