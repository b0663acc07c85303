import type { GrpcFailureCode } from "@stowage/csi";
import { deployments, type PodSpec } from "@stowage/machinery";
import type { Scenario } from "../fixtures/scenario.ts";
import type { Scene } from "../fixtures/scene.ts";

const codes: Readonly<Record<string, string>> = {
  RESOURCE_EXHAUSTED: "ResourceExhausted",
  INVALID_ARGUMENT: "InvalidArgument",
  UNAUTHENTICATED: "Unauthenticated",
  PERMISSION_DENIED: "PermissionDenied",
  UNAVAILABLE: "Unavailable",
  INTERNAL: "Internal",
};

/** Drivers, their sidecars and what they answer. */
export const driverScenarios: readonly Scenario[] = [
  {
    cause: "DRIVER_NOT_INSTALLED",
    when: "a class names a driver that nobody installed",
    async make(scene) {
      await scene.claim("data", { storageClassName: await scene.storageClass("storage.nowhere.example.org") });
      return ["pvc", "data"];
    },
    evidence: /CSIDriver storage\.nowhere\.example\.org does not exist\nCSINodes none has/u,
    mend: /kubectl get csidrivers/u,
  },
  {
    cause: "DRIVER_NOT_INSTALLED",
    when: "the class itself is asked about",
    async make(scene) {
      return ["storageclass", await scene.storageClass("storage.nowhere.example.org")];
    },
    evidence: /CSIDriver storage\.nowhere\.example\.org does not exist/u,
    mend: /kubectl apply -f DRIVER\.yaml/u,
  },
  {
    cause: "DRIVER_NAME_SIMILAR",
    when: "a class has the driver's name with a slip",
    async make(scene) {
      const { name } = await scene.cluster.goodDriver();
      await scene.claim("data", { storageClassName: await scene.storageClass(`${name}s`) });
      return ["pvc", "data"];
    },
    evidence: /CSIDriver \w+\.csi\.test exists/u,
    mend: /sed 's\|provisioner: (\w+\.csi\.test)s\|provisioner: \1\|'/u,
  },
  {
    cause: "PROVISIONER_ABSENT",
    when: "the driver is there and nothing runs its provisioner",
    async make(scene) {
      const driver = await scene.driver({ sidecars: ["attacher"] });
      await scene.claim("data", { storageClassName: await scene.storageClass(driver) });
      return ["pvc", "data"];
    },
    evidence: /Lease \w+-csi-test is in no namespace/u,
    mend: /kubectl apply -f DRIVER\.yaml/u,
  },
  {
    cause: "SIDECAR_SCALED_TO_ZERO",
    when: "the controller of the driver has no replicas",
    make: (scene) => deployed(scene, { replicas: 0 }),
    evidence: /Deployment shop-\d+\/controller spec\.replicas 0/u,
    mend: /kubectl scale deployment controller -n shop-\d+ --replicas=1/u,
  },
  {
    cause: "SIDECAR_PODS_REFUSED",
    when: "the controller's Pods name a service account that does not exist",
    make: (scene) => deployed(scene, { spec: { serviceAccountName: "nobody" } }),
    evidence: /status\.conditions\[ReplicaFailure\] .*serviceaccount "nobody" not found/u,
    mend: /kubectl describe deployment controller -n shop-\d+/u,
  },
  {
    cause: "SIDECAR_UNSCHEDULABLE",
    when: "there is no node for the controller's Pods",
    make: (scene) => deployed(scene, { spec: { nodeSelector: { "example.org/role": "none" } } }),
    evidence: /Pod shop-\d+\/controller-\S+ status\.conditions\[PodScheduled\] 0\/\d+ nodes/u,
    mend: /kubectl get nodes --show-labels/u,
  },
  {
    cause: "SIDECAR_NOT_AVAILABLE",
    when: "nobody runs the controller's Pods on their node",
    async make(scene) {
      const nodeName = await scene.node("a");
      return deployed(scene, { spec: { nodeName } });
    },
    evidence: /status\.availableReplicas 0\nPod shop-\d+\/controller-\S+ status\.phase Pending/u,
    mend: /kubectl describe pod controller-/u,
  },
  refusal("STORAGE_EXHAUSTED", "RESOURCE_EXHAUSTED", "kubectl get csistoragecapacities -A"),
  refusal("CREATE_VOLUME_INVALID", "INVALID_ARGUMENT", "kubectl get storageclass shop-\\d+-fast -o yaml"),
  refusal("CREATE_VOLUME_UNAUTHENTICATED", "UNAUTHENTICATED", "kubectl get storageclass shop-\\d+-fast -o jsonpath"),
  refusal("CREATE_VOLUME_DENIED", "PERMISSION_DENIED", "kubectl get storageclass shop-\\d+-fast -o jsonpath"),
  refusal("DRIVER_UNREACHABLE", "UNAVAILABLE", "kubectl describe persistentvolumeclaim data -n shop-\\d+"),
  refusal("CREATE_VOLUME_REFUSED", "INTERNAL", "kubectl describe persistentvolumeclaim data -n shop-\\d+"),
  {
    cause: "CREATE_VOLUME_TIMED_OUT",
    when: "the driver hangs",
    async make(scene) {
      const driver = await scene.driver({ faults: [{ method: "CreateVolume", kind: "hang" }], timeoutMs: 200 });
      await scene.claim("data", { storageClassName: await scene.storageClass(driver) });
      return ["pvc", "data"];
    },
    evidence: /PersistentVolumeClaim shop-\d+\/data ProvisioningFailed .*code = DeadlineExceeded/u,
    mend: /kubectl describe persistentvolumeclaim data -n shop-\d+/u,
  },
  {
    cause: "PROVISIONING_FAILED",
    when: "the class says its file system twice",
    async make(scene) {
      const driver = await scene.cluster.goodDriver();
      const parameters = { "csi.storage.k8s.io/fstype": "xfs", fstype: "ext4" };
      await scene.claim("data", { storageClassName: await scene.storageClass(driver, { parameters }) });
      return ["pvc", "data"];
    },
    evidence: /ProvisioningFailed .*file system twice/u,
    mend: /kubectl describe pvc data -n shop-\d+/u,
  },
  {
    cause: "CLASS_SECRET_MISSING",
    when: "the class names a Secret that nobody made",
    async make(scene) {
      const driver = await scene.cluster.goodDriver();
      const parameters = secretParameters("${pvc.name}-key", "${pvc.namespace}");
      await scene.claim("data", { storageClassName: await scene.storageClass(driver, { parameters }) });
      return ["pvc", "data"];
    },
    evidence: /provisioner-secret-name \$\{pvc\.name\}-key\nSecret shop-\d+\/data-key does not exist/u,
    mend: /kubectl create secret generic data-key -n shop-\d+/u,
  },
  {
    cause: "CLASS_SECRET_TEMPLATE_BAD",
    when: "the class names its Secret by what templates do not know",
    async make(scene) {
      const driver = await scene.cluster.goodDriver();
      const parameters = secretParameters("${claim}", "default");
      await scene.claim("data", { storageClassName: await scene.storageClass(driver, { parameters }) });
      return ["pvc", "data"];
    },
    evidence: /StorageClass shop-\d+-fast parameters\.\S+-secret-name \$\{claim\}/u,
    mend: /kubectl replace --force -f class\.yaml/u,
  },
  {
    cause: "TOPOLOGY_WITHOUT_NODE",
    when: "the class allows a zone in which there is no node",
    async make(scene) {
      const driver = await scene.cluster.goodDriver();
      const matchLabelExpressions = [{ key: "topology.kubernetes.io/zone", values: ["moon"] }];
      const storageClassName = await scene.storageClass(driver, {
        volumeBindingMode: "WaitForFirstConsumer",
        allowedTopologies: [{ matchLabelExpressions }],
      });
      await scene.node("a", { labels: { "topology.kubernetes.io/zone": "earth" } });
      await scene.claim("data", { storageClassName });
      return ["storageclass", storageClassName];
    },
    evidence: /StorageClass shop-\d+-fast allowedTopologies .*moon[^]*Nodes topology\.kubernetes\.io\/zone .*earth/u,
    mend: /kubectl get nodes -L topology\.kubernetes\.io\/zone/u,
  },
  {
    cause: "DRIVER_ON_NO_NODE",
    when: "a driver with places is registered nowhere",
    async make(scene) {
      const driver = await scene.driver({ mock: { topology: { "example.org/zone": "a" } } });
      await scene.claim("data", { storageClassName: await scene.storageClass(driver) });
      return ["pvc", "data"];
    },
    evidence: /CSINodes spec\.drivers none has \w+\.csi\.test/u,
    mend: /kubectl get csinodes/u,
  },
  {
    cause: "CLAIM_SELECTOR_UNPROVISIONABLE",
    when: "a claim of a class that makes volumes selects one by label",
    async make(scene) {
      const driver = await scene.cluster.goodDriver();
      const storageClassName = await scene.storageClass(driver);
      await scene.claim("data", { storageClassName, selector: { matchLabels: { tier: "gold" } } });
      return ["pvc", "data"];
    },
    evidence: /spec\.selector \{"matchLabels":\{"tier":"gold"\}\}/u,
    mend: /jq 'del\(\.spec\.selector\)'/u,
  },
  {
    cause: "CLAIM_WAITS_FOR_CONSUMER",
    when: "the class waits for a Pod and there is none",
    async make(scene) {
      const driver = await scene.cluster.goodDriver();
      const storageClassName = await scene.storageClass(driver, { volumeBindingMode: "WaitForFirstConsumer" });
      await scene.claim("data", { storageClassName });
      return ["pvc", "data"];
    },
    evidence: /StorageClass shop-\d+-fast volumeBindingMode WaitForFirstConsumer/u,
    mend: /kubectl run user-of-data -n shop-\d+ .*"claimName":"data"/u,
  },
];

/** The driver answers CreateVolume with the code. */
function refusal(cause: Scenario["cause"], code: GrpcFailureCode, mend: string): Scenario {
  return {
    cause,
    when: `the driver answers ${code}`,
    async make(scene) {
      const message = "the array says no";
      const driver = await scene.driver({ faults: [{ method: "CreateVolume", kind: "fail", code, message }] });
      await scene.claim("data", { storageClassName: await scene.storageClass(driver) });
      return ["pvc", "data"];
    },
    evidence: new RegExp(
      `PersistentVolumeClaim shop-\\d+/data ProvisioningFailed .*code = ${codes[code]} desc = .*the array says no`,
      "u",
    ),
    mend: new RegExp(mend, "u"),
  };
}

function secretParameters(name: string, namespace: string): Record<string, string> {
  return {
    "csi.storage.k8s.io/provisioner-secret-name": name,
    "csi.storage.k8s.io/provisioner-secret-namespace": namespace,
  };
}

/** A driver whose sidecars are to run in a Deployment, as they do in most clusters. */
async function deployed(
  scene: Scene,
  { replicas = 1, spec }: { readonly replicas?: number; readonly spec?: Partial<PodSpec> },
): Promise<readonly ["pvc", string]> {
  const driver = await scene.driver({ sidecars: [] });
  const labels = { app: "controller" };
  const args = ["--csi-address=/csi/csi.sock", `--extra=${driver.name}`];
  const containers = [{ name: "csi-provisioner", image: "example.org/csi-provisioner:5", args }];
  await scene.client.create(deployments, {
    metadata: { namespace: scene.namespace, name: "controller" },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers, ...spec } },
    },
  });
  await scene.claim("data", { storageClassName: await scene.storageClass(driver) });
  return ["pvc", "data"];
}
