import { persistentVolumeClaims, pods } from "@stowage/machinery";
import type { Scenario } from "../fixtures/scenario.ts";

const zone = "topology.kubernetes.io/zone";
const inZone = (name: string) => ({
  required: { nodeSelectorTerms: [{ matchExpressions: [{ key: zone, operator: "In" as const, values: [name] }] }] },
});

/** Pods that get no node, and claims that wait for such. */
export const schedulingScenarios: readonly Scenario[] = [
  {
    cause: "POD_TOO_LARGE",
    when: "the Pod of a claim asks for more cpu than any node has",
    async make(scene) {
      const driver = await scene.cluster.goodDriver();
      const storageClassName = await scene.storageClass(driver, { volumeBindingMode: "WaitForFirstConsumer" });
      await scene.node("a", { cpu: "1" });
      await scene.claim("data", { storageClassName });
      await scene.pod("web", { claims: ["data"], cpu: "64" });
      return ["pvc", "data"];
    },
    evidence: /Pod shop-\d+\/web status\.conditions\[PodScheduled\] .*1 Insufficient cpu/u,
    mend: /kubectl describe pod web -n shop-\d+/u,
  },
  {
    cause: "NODE_TAINTED",
    when: "the only node has a taint that the Pod does not tolerate",
    async make(scene) {
      await scene.node("a", {
        taints: [{ key: "example.org/gpu", effect: "NoSchedule" }],
        labels: { only: scene.namespace },
      });
      await scene.pod("web", { nodeSelector: { only: scene.namespace } });
      return ["pod", "web"];
    },
    evidence: /untolerated taint[^]*Node shop-\d+-a spec\.taints .*example\.org\/gpu:NoSchedule/u,
    mend: /kubectl taint node shop-\d+-a KEY-/u,
  },
  {
    cause: "NODE_CORDONED",
    when: "the only node is cordoned",
    async make(scene) {
      await scene.node("a", { isCordoned: true });
      await scene.pod("web");
      return ["pod", "web"];
    },
    evidence: /unschedulable[^]*Node shop-\d+-a spec\.unschedulable true/u,
    mend: /kubectl uncordon shop-\d+-a/u,
  },
  {
    cause: "POD_AFFINITY_WITHOUT_NODE",
    when: "no node has the label that the Pod asks for",
    async make(scene) {
      await scene.node("a");
      await scene.pod("web", { nodeSelector: { "example.org/disk": "fast" } });
      return ["pod", "web"];
    },
    evidence: /didn't match Pod's node affinity\/selector/u,
    mend: /kubectl label node NODE .*example\.org\/disk=fast/u,
  },
  {
    cause: "POD_GATED",
    when: "the Pod has a scheduling gate",
    async make(scene) {
      await scene.pod("web", { schedulingGates: [{ name: "example.org/wait" }] });
      return ["pod", "web"];
    },
    evidence: /spec\.schedulingGates \["example\.org\/wait"\]/u,
    mend: /kubectl patch pod web -n shop-\d+ --type=json/u,
  },
  {
    cause: "POD_BYPASSES_SCHEDULER",
    when: "the Pod of a waiting claim names its node itself",
    async make(scene) {
      const driver = await scene.cluster.goodDriver();
      const storageClassName = await scene.storageClass(driver, { volumeBindingMode: "WaitForFirstConsumer" });
      await scene.claim("data", { storageClassName });
      await scene.pod("web", { claims: ["data"], nodeName: await scene.node("a") });
      return ["pvc", "data"];
    },
    evidence: /Pod shop-\d+\/web spec\.nodeName shop-\d+-a/u,
    mend: /nodeSelector: \{kubernetes\.io\/hostname: shop-\d+-a\}/u,
  },
  {
    cause: "VOLUME_NODE_AFFINITY_CONFLICT",
    when: "the volume is in another zone than the nodes",
    async make(scene) {
      await scene.node("a", { labels: { [zone]: `${scene.namespace}-a` } });
      await scene.volume("one", { storageClassName: "", nodeAffinity: inZone(`${scene.namespace}-b`) });
      await scene.boundClaim("data", "", { volumeName: scene.own("one") });
      await scene.pod("web", { claims: ["data"] });
      return ["pod", "web"];
    },
    evidence: /didn't match PersistentVolume's node affinity/u,
    mend: /kubectl get pv -o custom-columns/u,
  },
  {
    cause: "VOLUME_NONE_ON_NODES",
    when: "the only local volume is on another node",
    async make(scene) {
      await scene.node("a", { labels: { [zone]: `${scene.namespace}-a` } });
      const storageClassName = await scene.storageClass("kubernetes.io/no-provisioner", {
        volumeBindingMode: "WaitForFirstConsumer",
      });
      await scene.volume("one", { storageClassName, nodeAffinity: inZone(`${scene.namespace}-b`) });
      await scene.claim("data", { storageClassName });
      await scene.pod("web", { claims: ["data"] });
      return ["pod", "web"];
    },
    evidence: /didn't find available persistent volumes to bind/u,
    mend: /kubectl get pvc -n shop-\d+/u,
  },
  {
    cause: "CAPACITY_TOO_SMALL",
    when: "the driver publishes less room than a claim asks for",
    async make(scene) {
      const mock = { capacityBytes: 1024n ** 3n };
      const driver = await scene.driver({ publishesCapacity: true, mock });
      const storageClassName = await scene.storageClass(driver, { volumeBindingMode: "WaitForFirstConsumer" });
      await scene.node("a", { drivers: [{ name: driver.name }] });
      await scene.claim("data", { storageClassName, size: "5Gi" });
      await scene.pod("web", { claims: ["data"] });
      return ["pvc", "data"];
    },
    evidence: /(?:CSIStorageCapacity default\/csisc-\S+ capacity 1Gi|did not have enough free storage)/u,
    mend: /kubectl get csistoragecapacities -A/u,
  },
  {
    cause: "VOLUME_IN_USE_BY_ONE_POD",
    when: "another Pod has a claim that is for one Pod",
    async make(scene) {
      const node = await scene.node("a");
      await scene.volume("one", { storageClassName: "", accessModes: ["ReadWriteOncePod"] });
      await scene.boundClaim("data", "", { volumeName: scene.own("one"), accessModes: ["ReadWriteOncePod"] });
      await scene.pod("first", { claims: ["data"] });
      await scene.until(pods, "first", ({ spec }) => spec?.nodeName === node);
      await scene.pod("second", { claims: ["data"] });
      return ["pod", "second"];
    },
    evidence: /ReadWriteOncePod access mode already in-use/u,
    mend: /kubectl get pods -n shop-\d+ -o wide/u,
  },
  {
    cause: "ATTACH_LIMIT_REACHED",
    when: "the only node has as many volumes as it takes",
    async make(scene) {
      const driver = await scene.cluster.goodDriver();
      const storageClassName = await scene.storageClass(driver);
      const node = await scene.node("a", { drivers: [{ name: driver.name, count: 1 }] });
      await scene.boundClaim("one", storageClassName);
      await scene.boundClaim("two", storageClassName);
      await scene.pod("first", { claims: ["one"] });
      await scene.until(pods, "first", ({ spec }) => spec?.nodeName === node);
      await scene.pod("second", { claims: ["two"] });
      return ["pod", "second"];
    },
    evidence: /exceed max volume count/u,
    mend: /kubectl get volumeattachments/u,
  },
  {
    cause: "CLASS_MISSING",
    when: "the claim of the Pod that is asked about names no class that exists",
    async make(scene) {
      await scene.node("a");
      await scene.claim("data", { storageClassName: "nowhere" });
      await scene.pod("web", { claims: ["data"] });
      await scene.until(persistentVolumeClaims, "data", () => true);
      return ["pod", "web"];
    },
    evidence: /PersistentVolumeClaim shop-\d+\/data spec\.storageClassName nowhere/u,
    mend: /kubectl get storageclass/u,
  },
];
