import {
  limitRanges,
  persistentVolumeClaims,
  persistentVolumes,
  pods,
  resourceQuotas,
  statefulSets,
} from "@stowage/machinery";
import type { Scenario } from "../fixtures/scenario.ts";
import type { Scene } from "../fixtures/scene.ts";

/** No volume has it: claims without a class would take those of other scenarios. */
const NEVER = "7Ti";

/** Claims and volumes, before any driver is asked. */
export const claimScenarios: readonly Scenario[] = [
  {
    cause: "CLASS_MISSING",
    when: "a claim names a class that nobody made",
    async make(scene) {
      await scene.claim("data", { storageClassName: "fats" });
      return ["pvc", "data"];
    },
    evidence: /PersistentVolumeClaim shop-\d+\/data spec\.storageClassName fats\nStorageClass fats does not exist/u,
    mend: /kubectl get persistentvolumeclaim data -n shop-\d+ -o yaml \| sed 's\|storageClassName: fats\|/u,
  },
  {
    cause: "CLASS_NO_PROVISIONER",
    when: "the class makes no volumes and the only one is too small",
    async make(scene) {
      const name = await scene.storageClass("kubernetes.io/no-provisioner");
      await scene.volume("small", { storageClassName: name });
      await scene.claim("data", { storageClassName: name, size: "5Gi" });
      return ["pvc", "data"];
    },
    evidence:
      /StorageClass shop-\d+-fast provisioner kubernetes\.io\/no-provisioner\nPersistentVolume shop-\d+-small spec\.capacity\.storage 1Gi/u,
    mend: /kubectl apply -f VOLUME\.yaml/u,
  },
  {
    cause: "VOLUME_NONE_FITS",
    when: "a claim wants a volume without a class and all are taken",
    async make(scene) {
      await scene.claim("data", { storageClassName: "", size: NEVER });
      return ["pvc", "data"];
    },
    evidence: /PersistentVolumeClaim shop-\d+\/data spec\.storageClassName ""/u,
    mend: /kubectl apply -f VOLUME\.yaml/u,
  },
  {
    cause: "VOLUME_SELECTOR_MATCHES_NONE",
    when: "a claim selects labels that no volume has",
    async make(scene) {
      const name = await scene.storageClass("kubernetes.io/no-provisioner");
      await scene.volume("free", { storageClassName: name }, { tier: "silver" });
      await scene.claim("data", { storageClassName: name, selector: { matchLabels: { tier: "gold" } } });
      return ["pvc", "data"];
    },
    evidence: /PersistentVolume shop-\d+-free metadata\.labels \{"tier":"silver"\}/u,
    mend: /kubectl label pv shop-\d+-free tier=gold/u,
  },
  {
    cause: "VOLUME_NAMED_MISSING",
    when: "a claim asks for a volume that does not exist",
    async make(scene) {
      await scene.claim("data", { storageClassName: "", volumeName: "nowhere" });
      return ["pvc", "data"];
    },
    evidence: /PersistentVolume nowhere does not exist/u,
    mend: /sed 's\|volumeName: nowhere\|/u,
  },
  {
    cause: "VOLUME_NAMED_TAKEN",
    when: "a claim asks for a volume that another claim has",
    async make(scene) {
      await scene.volume("one", { storageClassName: "" });
      await scene.claim("first", { storageClassName: "", volumeName: scene.own("one") });
      await scene.until(persistentVolumeClaims, "first", ({ status }) => status?.phase === "Bound");
      await scene.claim("second", { storageClassName: "", volumeName: scene.own("one") });
      return ["pvc", "second"];
    },
    evidence: /PersistentVolume shop-\d+-one spec\.claimRef .*"name":"first"/u,
    mend: /kubectl get pv/u,
  },
  misfit("VOLUME_TOO_SMALL", "is too small", {
    has: { size: "1Gi" },
    wanted: { size: "2Gi" },
    evidence: /spec\.capacity\.storage 1Gi[^]*spec\.resources\.requests\.storage 2Gi/u,
  }),
  misfit("VOLUME_CLASS_DIFFERS", "is of another class", {
    has: { storageClassName: "gold" },
    wanted: {},
    evidence: /spec\.storageClassName gold[^]*spec\.storageClassName ""/u,
  }),
  misfit("VOLUME_MODE_DIFFERS", "is a block device", {
    has: { volumeMode: "Block" },
    wanted: {},
    evidence: /spec\.volumeMode Block[^]*spec\.volumeMode Filesystem/u,
  }),
  misfit("VOLUME_ACCESS_MODES_DIFFER", "is for one node alone", {
    has: {},
    wanted: { accessModes: ["ReadWriteMany"] },
    evidence: /ReadWriteOnce[^]*ReadWriteMany/u,
  }),
  {
    cause: "CLAIM_LOST",
    when: "the volume of a bound claim is gone",
    async make(scene) {
      await scene.volume("one", { storageClassName: "" });
      await scene.claim("data", { storageClassName: "", volumeName: scene.own("one") });
      await scene.until(persistentVolumeClaims, "data", ({ status }) => status?.phase === "Bound");
      const name = scene.own("one");
      await scene.client.delete(persistentVolumes, { name });
      await scene.client.patch(
        persistentVolumes,
        { name },
        { type: "merge", patch: { metadata: { finalizers: null } } },
      );
      await scene.until(persistentVolumeClaims, "data", ({ status }) => status?.phase === "Lost");
      return ["pvc", "data"];
    },
    evidence: /status\.phase Lost\n.*spec\.volumeName shop-\d+-one[^]*ClaimLost/u,
    mend: /kubectl delete persistentvolumeclaim data/u,
  },
  {
    cause: "CLAIM_DELETED_IN_USE",
    when: "a claim is deleted while a Pod uses it",
    async make(scene) {
      await scene.volume("one", { storageClassName: "" });
      await scene.claim("data", { storageClassName: "", volumeName: scene.own("one") });
      await scene.until(persistentVolumeClaims, "data", ({ status }) => status?.phase === "Bound");
      const node = await scene.node("a");
      await scene.pod("web", { claims: ["data"], nodeName: node });
      await scene.client.delete(persistentVolumeClaims, { namespace: scene.namespace, name: "data" });
      return ["pvc", "data"];
    },
    evidence: /metadata\.deletionTimestamp \S+\nPod shop-\d+\/web spec\.volumes data/u,
    mend: /kubectl delete pod web -n shop-\d+/u,
  },
  {
    cause: "CLAIM_DELETION_HELD",
    when: "somebody's finalizer keeps a deleted claim",
    async make(scene) {
      await scene.claim("data", { storageClassName: "", size: NEVER });
      const ref = { namespace: scene.namespace, name: "data" };
      const patch = { metadata: { finalizers: ["example.org/backup"] } };
      await scene.client.patch(persistentVolumeClaims, ref, { type: "merge", patch });
      await scene.client.delete(persistentVolumeClaims, ref);
      return ["pvc", "data"];
    },
    evidence: /metadata\.finalizers \["example\.org\/backup"\]/u,
    mend: /kubectl patch pvc data -n shop-\d+ --type=merge/u,
  },
  {
    cause: "CLAIM_MISSING",
    when: "a claim is in another namespace",
    async make(scene) {
      const elsewhere = await scene.cluster.namespace();
      await scene.client.create(persistentVolumeClaims, {
        metadata: { namespace: elsewhere, name: `data-${elsewhere}` },
        spec: { accessModes: ["ReadWriteOnce"], storageClassName: "", resources: { requests: { storage: NEVER } } },
      });
      return ["pvc", `data-${elsewhere}`];
    },
    evidence: /does not exist\nPersistentVolumeClaim (shop-\d+)\/data-\1 status\.phase/u,
    mend: /kubectl get pvc -n shop-\d+/u,
  },
  {
    cause: "QUOTA_EXCEEDED",
    when: "a quota keeps a StatefulSet from making its claim",
    async make(scene) {
      const hard = { "requests.storage": "1Gi" };
      await scene.client.create(resourceQuotas, {
        metadata: { namespace: scene.namespace, name: "storage" },
        spec: { hard },
      });
      const ref = { namespace: scene.namespace, name: "storage" };
      // What kube-controller-manager does; ours does not count quotas.
      const patch = { status: { hard, used: { "requests.storage": "0" } } };
      await scene.client.patch(resourceQuotas, ref, { type: "merge", patch }, { subresource: "status" });
      await statefulSet(scene, "5Gi", "");
      return ["pvc", "data-db-0"];
    },
    evidence: /StatefulSet shop-\d+\/db FailedCreate .*exceeded quota: storage/u,
    mend: /kubectl edit resourcequota -n shop-\d+/u,
  },
  {
    cause: "CLAIM_REFUSED",
    when: "a LimitRange does not allow a StatefulSet's claim",
    async make(scene) {
      const limits = [{ type: "PersistentVolumeClaim", max: { storage: "1Gi" } }];
      await scene.client.create(limitRanges, {
        metadata: { namespace: scene.namespace, name: "small" },
        spec: { limits },
      });
      await statefulSet(scene, "5Gi", "");
      return ["pvc", "data-db-0"];
    },
    evidence: /StatefulSet shop-\d+\/db FailedCreate .*maximum storage usage/u,
    mend: /kubectl describe statefulset db -n shop-\d+/u,
  },
  {
    cause: "VOLUME_RELEASED",
    when: "the claim of a kept volume is deleted",
    async make(scene) {
      await scene.volume("one", { storageClassName: "" });
      await scene.claim("data", { storageClassName: "", volumeName: scene.own("one") });
      await scene.until(persistentVolumeClaims, "data", ({ status }) => status?.phase === "Bound");
      await scene.client.delete(persistentVolumeClaims, { namespace: scene.namespace, name: "data" });
      return ["pv", scene.own("one")];
    },
    evidence: /status\.phase Released\n.*persistentVolumeReclaimPolicy Retain/u,
    mend: /kubectl patch pv shop-\d+-one --type=json -p .*\/spec\/claimRef/u,
  },
  {
    cause: "VOLUME_DELETED_IN_USE",
    when: "a volume is deleted while a claim has it",
    async make(scene) {
      await scene.volume("one", { storageClassName: "" });
      await scene.claim("data", { storageClassName: "", volumeName: scene.own("one") });
      await scene.until(persistentVolumes, scene.own("one"), ({ status }) => status?.phase === "Bound");
      await scene.client.delete(persistentVolumes, { name: scene.own("one") });
      return ["pv", scene.own("one")];
    },
    evidence: /metadata\.finalizers kubernetes\.io\/pv-protection\n.*spec\.claimRef shop-\d+\/data/u,
    mend: /kubectl delete pvc data -n shop-\d+/u,
  },
  {
    cause: "VOLUME_MISSING",
    when: "a volume is asked for that does not exist",
    make: async () => ["pv", "nowhere"],
    evidence: /PersistentVolume nowhere does not exist/u,
    mend: /kubectl get pv/u,
  },
  {
    cause: "EXPANSION_UNSUPPORTED",
    when: "a claim on a volume of no CSI driver is to grow",
    async make(scene) {
      const name = await scene.storageClass("kubernetes.io/no-provisioner", { allowVolumeExpansion: true });
      await scene.volume("one", { storageClassName: name });
      await scene.boundClaim("data", name);
      const patch = { spec: { resources: { requests: { storage: "3Gi" } } } };
      await scene.client.patch(
        persistentVolumeClaims,
        { namespace: scene.namespace, name: "data" },
        { type: "merge", patch },
      );
      return ["pvc", "data"];
    },
    evidence: /PersistentVolume shop-\d+-one spec .*hostPath/u,
    mend: /"storage":"1Gi"/u,
  },
  {
    cause: "POD_CLAIM_MISSING",
    when: "a Pod uses a claim that nobody made",
    async make(scene) {
      await scene.node("a");
      await scene.pod("web", { claims: ["data"] });
      return ["pod", "web"];
    },
    evidence: /claimName data\nPersistentVolumeClaim shop-\d+\/data does not exist/u,
    mend: /kubectl apply -n shop-\d+ -f CLAIM\.yaml/u,
  },
  {
    cause: "POD_MISSING",
    when: "a Pod is asked for that does not exist",
    make: async () => ["pod", "nobody"],
    evidence: /Pod shop-\d+\/nobody does not exist/u,
    mend: /kubectl get pods -n shop-\d+/u,
  },
  ...(["ConfigMap", "Secret"] as const).map(
    (kind): Scenario => ({
      cause: kind === "ConfigMap" ? "POD_CONFIG_MAP_MISSING" : "POD_SECRET_MISSING",
      when: "a Pod mounts one that nobody made",
      async make(scene) {
        const nodeName = await scene.node("a");
        const source =
          kind === "ConfigMap" ? { configMap: { name: "settings" } } : { secret: { secretName: "settings" } };
        await scene.pod("web", { nodeName, volumes: [{ name: "settings", ...source }] });
        return ["pod", "web"];
      },
      evidence: new RegExp(`${kind} shop-\\d+/settings does not exist`, "u"),
      mend: /kubectl create (?:configmap|secret generic) settings -n shop-\d+/u,
    }),
  ),
  {
    cause: "NODE_MISSING",
    when: "the node of a Pod is gone",
    async make(scene) {
      await scene.pod("web", { nodeName: scene.own("gone") });
      return ["pod", "web"];
    },
    evidence: /Node shop-\d+-gone does not exist/u,
    mend: /kubectl delete pod web -n shop-\d+ --force/u,
  },
  {
    cause: "NODE_NOT_READY",
    when: "the node of a Pod is not ready",
    async make(scene) {
      const nodeName = await scene.node("a", { isReady: false });
      await scene.pod("web", { nodeName });
      await scene.until(pods, "web", () => true);
      return ["pod", "web"];
    },
    evidence: /Node shop-\d+-a status\.conditions\[Ready\] False KubeletNotReady/u,
    mend: /kubectl describe node shop-\d+-a/u,
  },
];

async function statefulSet(scene: Scene, storage: string, storageClassName: string): Promise<void> {
  const labels = { app: "db" };
  await scene.client.create(statefulSets, {
    metadata: { namespace: scene.namespace, name: "db" },
    spec: {
      serviceName: "db",
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "main", image: "example.org/db:1" }] } },
      volumeClaimTemplates: [
        {
          apiVersion: "v1",
          kind: "PersistentVolumeClaim",
          metadata: { name: "data" },
          spec: { accessModes: ["ReadWriteOnce"], storageClassName, resources: { requests: { storage } } },
        },
      ],
    },
  });
}

interface Misfit {
  readonly has: Parameters<Scene["volume"]>[1];
  readonly wanted: Parameters<Scene["claim"]>[1];
  readonly evidence: RegExp;
}

/** The volume that a claim asks for by name is not what it asks for. */
function misfit(cause: Scenario["cause"], what: string, { has, wanted, evidence }: Misfit): Scenario {
  return {
    cause,
    when: `the named volume ${what}`,
    async make(scene) {
      await scene.volume("one", { storageClassName: "", ...has });
      await scene.claim("data", { storageClassName: "", volumeName: scene.own("one"), ...wanted });
      return ["pvc", "data"];
    },
    evidence,
    mend: /kubectl delete persistentvolumeclaim data -n shop-\d+/u,
  };
}
