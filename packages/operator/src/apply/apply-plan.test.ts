import type { KubernetesObject, ObjectMeta } from "@stowage/machinery";
import { describe, expect, it, test } from "vitest";
import { desiredNewObject, planApply } from "./apply-plan.ts";
import type { LooseObject } from "./loose-object.ts";
import { specHash, specHashAnnotation } from "./spec-hash.ts";

type Content = Record<string, unknown>;

const make =
  (apiVersion: string, kind: string) =>
  (content: Content, metadata: ObjectMeta = {}): LooseObject => ({
    apiVersion,
    kind,
    metadata: { name: "x", ...metadata },
    ...content,
  });

/** The existing object, as we would have written it, with changes. */
function asWritten(object: KubernetesObject, changes: Content = {}, metadata: ObjectMeta = {}): LooseObject {
  const written = desiredNewObject(object);
  return { ...written, ...changes, metadata: { ...written.metadata, uid: "u", resourceVersion: "1", ...metadata } };
}

const namespace = make("v1", "Namespace");
const configMap = make("v1", "ConfigMap");
const secret = make("v1", "Secret");
const service = make("v1", "Service");
const serviceAccount = make("v1", "ServiceAccount");
const role = make("rbac.authorization.k8s.io/v1", "ClusterRole");
const binding = make("rbac.authorization.k8s.io/v1", "ClusterRoleBinding");
const deployment = make("apps/v1", "Deployment");
const csiDriver = make("storage.k8s.io/v1", "CSIDriver");
const storageClass = make("storage.k8s.io/v1", "StorageClass");
const budget = make("policy/v1", "PodDisruptionBudget");
const networkPolicy = make("networking.k8s.io/v1", "NetworkPolicy");
const monitor = make("monitoring.coreos.com/v1", "ServiceMonitor");
const snapshotClass = make("snapshot.storage.k8s.io/v1", "VolumeSnapshotClass");
const webhooks = make("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration");
const definition = make("apiextensions.k8s.io/v1", "CustomResourceDefinition");

describe("labels, annotations and owners", () => {
  const owner = { apiVersion: "apps/v1", kind: "Deployment", name: "o", uid: "1" };

  test.each<[string, ObjectMeta, ObjectMeta, ObjectMeta | "none"]>([
    [
      "ours are set",
      {},
      { labels: { a: "1" }, annotations: { b: "2" } },
      { labels: { a: "1" }, annotations: { b: "2" } },
    ],
    ["foreign ones survive", { labels: { f: "x" } }, { labels: { a: "1" } }, { labels: { f: "x", a: "1" } }],
    ["another value is set right", { labels: { a: "0" } }, { labels: { a: "1" } }, { labels: { a: "1" } }],
    ["a key with a dash deletes", { labels: { a: "0", f: "x" } }, { labels: { "a-": "" } }, { labels: { f: "x" } }],
    ["a dash for what is not there is nothing", { labels: { f: "x" } }, { annotations: { "a-": "" } }, "none"],
    ["what is there already is nothing", { labels: { a: "1", f: "x" } }, { labels: { a: "1" } }, "none"],
    [
      "an owner is added",
      { ownerReferences: [owner] },
      { ownerReferences: [{ ...owner, name: "p" }] },
      { ownerReferences: [owner, { ...owner, name: "p" }] },
    ],
    [
      "an owner made anew takes the place of the old",
      { ownerReferences: [owner] },
      { ownerReferences: [{ ...owner, uid: "2" }] },
      { ownerReferences: [{ ...owner, uid: "2" }] },
    ],
    [
      "a uid with a dash removes the owner",
      { ownerReferences: [owner] },
      { ownerReferences: [{ ...owner, uid: "1-" }] },
      { ownerReferences: [] },
    ],
  ])("%s", (_, existing, wanted, expected) => {
    const plan = planApply(namespace({}, existing), namespace({}, wanted));
    expect(plan.action).toBe(expected === "none" ? "none" : "update");
    const { labels, annotations, ownerReferences } = plan.action === "update" ? plan.object.metadata : {};
    expect({ labels, annotations, ownerReferences }).toEqual(expected === "none" ? {} : expected);
  });

  it("are created without the keys that only delete", () => {
    const created = desiredNewObject(namespace({}, { labels: { a: "1", "b-": "" }, annotations: { "c-": "" } }));
    expect(created.metadata).toMatchObject({ name: "x", labels: { a: "1" }, annotations: {} });
  });

  it("can be set once and then be left to others", () => {
    const wanted = snapshotClass({ driver: "d" }, { annotations: { "is-default": "true" } });
    const kept = { annotations: ["is-default"] };
    expect(
      planApply(snapshotClass({ driver: "d" }, { annotations: { "is-default": "false" } }), wanted, { kept }),
    ).toEqual({ action: "none" });
    expect(planApply(snapshotClass({ driver: "d" }), wanted, { kept }).action).toBe("update");
  });

  it("are sent without managedFields, of which local copies have an empty list", () => {
    const plan = planApply(namespace({}, { managedFields: [] }), namespace({}, { labels: { a: "1" } }));
    expect(plan.action === "update" && "managedFields" in plan.object.metadata).toBe(false);
  });
});

type Case = [string, LooseObject, LooseObject, "none" | "update" | "recreate", Content?];

const injected = { labels: { "config.openshift.io/inject-trusted-cabundle": "true" } };
const serviceCa = { annotations: { "service.beta.openshift.io/inject-cabundle": "true" } };
const inline = { labels: { "security.openshift.io/csi-ephemeral-volume-profile": "restricted" } };
const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "r" };
const user = { kind: "User", name: "u" };
const rules = [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }];
const ports = [{ name: "m", port: 443 }];
const selector = { matchLabels: { a: "b" } };
const classContent = { provisioner: "p", parameters: { type: "gp3" } };
const classDefaults = { reclaimPolicy: "Delete", volumeBindingMode: "Immediate" };

const cases: Case[] = [
  [
    "Namespace: only metadata counts",
    namespace({ spec: { finalizers: ["kubernetes"] } }),
    namespace({ spec: {} }),
    "none",
  ],
  ["ServiceAccount: what others add stays", serviceAccount({ secrets: [{ name: "t" }] }), serviceAccount({}), "none"],
  [
    "ServiceAccount: its token setting is ours",
    serviceAccount({ secrets: [{ name: "t" }] }),
    serviceAccount({ automountServiceAccountToken: false }),
    "update",
    { automountServiceAccountToken: false, secrets: [{ name: "t" }] },
  ],
  ["ConfigMap: the same data", configMap({ data: { a: "1" } }), configMap({ data: { a: "1" } }), "none"],
  ["ConfigMap: no data and empty data are alike", configMap({}), configMap({ data: {} }), "none"],
  [
    "ConfigMap: foreign keys go",
    configMap({ data: { a: "1", f: "x" } }),
    configMap({ data: { a: "1" } }),
    "update",
    { data: { a: "1" } },
  ],
  [
    "ConfigMap: binary data are data",
    configMap({ binaryData: { a: "AA==" } }),
    configMap({ binaryData: { a: "AQ==" } }),
    "update",
    { binaryData: { a: "AQ==" } },
  ],
  [
    "ConfigMap: an injected bundle is no difference",
    configMap({ data: { "ca-bundle.crt": "PEM" } }, injected),
    configMap({}, injected),
    "none",
  ],
  [
    "ConfigMap: an injected bundle survives a rewrite",
    configMap({ data: { "ca-bundle.crt": "PEM", a: "0" } }, injected),
    configMap({ data: { a: "1" } }, injected),
    "update",
    { data: { a: "1", "ca-bundle.crt": "PEM" } },
  ],
  [
    "ConfigMap: so does the service CA",
    configMap({ data: { "service-ca.crt": "PEM", a: "0" } }, serviceCa),
    configMap({ data: { a: "1" } }, serviceCa),
    "update",
    { data: { a: "1", "service-ca.crt": "PEM" } },
  ],
  [
    "ConfigMap: a bundle that nobody injects goes",
    configMap({ data: { "ca-bundle.crt": "PEM" } }),
    configMap({}),
    "update",
    { data: {} },
  ],
  [
    "ConfigMap: a bundle that is wanted is set",
    configMap({ data: { "ca-bundle.crt": "PEM" } }, injected),
    configMap({ data: { "ca-bundle.crt": "OURS" } }, injected),
    "update",
    { data: { "ca-bundle.crt": "OURS" } },
  ],
  [
    "ConfigMap: one that cannot be changed is made anew",
    configMap({ data: { a: "0" }, immutable: true }),
    configMap({ data: { a: "1" } }),
    "recreate",
    { data: { a: "1" } },
  ],
  [
    "Secret: text and bytes are alike",
    secret({ data: { a: "MQ==" }, type: "Opaque" }),
    secret({ stringData: { a: "1" } }),
    "none",
  ],
  [
    "Secret: other data",
    secret({ data: { a: "MA==" }, type: "Opaque" }),
    secret({ stringData: { a: "1" } }),
    "update",
    { data: { a: "MQ==" } },
  ],
  [
    "Secret: another type needs another Secret",
    secret({ data: {}, type: "Opaque" }),
    secret({ type: "kubernetes.io/tls" }),
    "recreate",
    { type: "kubernetes.io/tls" },
  ],
  [
    "Secret: one that cannot be changed is made anew",
    secret({ data: { a: "MA==" }, type: "Opaque", immutable: true }),
    secret({ data: { a: "MQ==" } }),
    "recreate",
  ],
  [
    "Secret: a token keeps what was filled in",
    secret({ data: { token: "dA==" }, type: "kubernetes.io/service-account-token" }),
    secret({ data: {}, type: "kubernetes.io/service-account-token" }),
    "none",
  ],
  ["ClusterRole: the same rules", role({ rules }), role({ rules }), "none"],
  ["ClusterRole: a rule too many goes", role({ rules: [...rules, ...rules] }), role({ rules }), "update", { rules }],
  [
    "ClusterRole: what it is made of is not compared",
    role({ rules, aggregationRule: { a: 1 } }),
    role({ aggregationRule: { a: 1 } }),
    "none",
  ],
  [
    "ClusterRole: no longer made of others",
    role({ rules, aggregationRule: { a: 1 } }),
    role({ rules }),
    "update",
    { aggregationRule: undefined },
  ],
  [
    "binding: groups that the server fills in",
    binding({ roleRef, subjects: [{ ...user, apiGroup: roleRef.apiGroup }] }),
    binding({ roleRef: { kind: "ClusterRole", name: "r" }, subjects: [user] }),
    "none",
  ],
  ["binding: other subjects", binding({ roleRef, subjects: [] }), binding({ roleRef, subjects: [user] }), "update"],
  [
    "binding: another role needs another binding",
    binding({ roleRef, subjects: [user] }),
    binding({ roleRef: { ...roleRef, name: "s" }, subjects: [user] }),
    "recreate",
    { roleRef: { ...roleRef, name: "s" } },
  ],
  [
    "Service: what the cluster allots stays",
    asWritten(service({ spec: { ports } }), {
      spec: { ports: [{ ...ports[0], protocol: "TCP" }], clusterIP: "10.0.0.1", type: "ClusterIP" },
    }),
    service({ spec: { ports } }),
    "none",
  ],
  [
    "Service: another selector",
    asWritten(service({ spec: { ports, selector: { a: "b" } } }), {
      spec: { ports, selector: { a: "b", f: "x" }, clusterIP: "10.0.0.1" },
    }),
    service({ spec: { ports, selector: { a: "b" } } }),
    "update",
    { spec: { ports, selector: { a: "b" }, clusterIP: "10.0.0.1" } },
  ],
  [
    "Service: allotted node ports survive a rewrite",
    service({ spec: { ports: [{ name: "m", port: 443, nodePort: 30000 }], type: "NodePort" } }),
    service({ spec: { ports, type: "NodePort" } }),
    "update",
    { spec: { ports: [{ name: "m", port: 443, nodePort: 30000 }], type: "NodePort" } },
  ],
  [
    "Service: another type",
    asWritten(service({ spec: { ports } }), { spec: { ports, type: "NodePort" } }),
    service({ spec: { ports } }),
    "update",
  ],
  [
    "Service: headless or not cannot be changed",
    service({ spec: { ports, clusterIP: "10.0.0.1" } }),
    service({ spec: { ports, clusterIP: "None" } }),
    "recreate",
  ],
  [
    "PodDisruptionBudget: what is added goes",
    budget({ spec: { maxUnavailable: 1, minAvailable: 1 } }),
    budget({ spec: { maxUnavailable: 1 } }),
    "update",
    { spec: { maxUnavailable: 1 } },
  ],
  [
    "PodDisruptionBudget: the same",
    budget({ spec: { maxUnavailable: 1 }, status: { x: 1 } }),
    budget({ spec: { maxUnavailable: 1 } }),
    "none",
  ],
  [
    "NetworkPolicy: with defaults",
    networkPolicy({
      spec: { podSelector: {}, ingress: [{ ports: [{ port: 1, protocol: "TCP" }] }], policyTypes: ["Ingress"] },
    }),
    networkPolicy({ spec: { podSelector: {}, ingress: [{ ports: [{ port: 1 }] }] } }),
    "none",
  ],
  [
    "NetworkPolicy: an opening that somebody added is closed",
    networkPolicy({ spec: { podSelector: {}, ingress: [{}], policyTypes: ["Ingress"] } }),
    networkPolicy({ spec: { podSelector: {} } }),
    "update",
  ],
  [
    "StorageClass: with defaults",
    storageClass({ ...classContent, ...classDefaults, allowVolumeExpansion: true }),
    storageClass({ ...classContent }),
    "none",
  ],
  [
    "StorageClass: other parameters need another class",
    storageClass({ ...classContent, ...classDefaults }),
    storageClass({ ...classContent, parameters: { type: "io2" } }),
    "recreate",
    { parameters: { type: "io2" } },
  ],
  [
    "StorageClass: another binding mode needs another class",
    storageClass({ ...classContent, ...classDefaults }),
    storageClass({ ...classContent, volumeBindingMode: "WaitForFirstConsumer" }),
    "recreate",
  ],
  [
    "StorageClass: expansion can be changed",
    storageClass({ ...classContent, ...classDefaults, allowVolumeExpansion: false }),
    storageClass({ ...classContent, allowVolumeExpansion: true }),
    "update",
    { allowVolumeExpansion: true },
  ],
  [
    "CSIDriver: as written",
    asWritten(csiDriver({ spec: { attachRequired: true } })),
    csiDriver({ spec: { attachRequired: true } }),
    "none",
  ],
  [
    "CSIDriver: another spec needs another object",
    asWritten(csiDriver({ spec: { attachRequired: true } })),
    csiDriver({ spec: { attachRequired: false } }),
    "recreate",
    { spec: { attachRequired: false } },
  ],
  [
    "CSIDriver: a field less is another spec",
    asWritten(csiDriver({ spec: { tokenRequests: [{ audience: "a" }] } })),
    csiDriver({ spec: {} }),
    "recreate",
  ],
  [
    "CSIDriver: another's hash of the same spec disturbs nobody",
    csiDriver(
      { spec: { attachRequired: true, podInfoOnMount: true, volumeLifecycleModes: ["Persistent"] } },
      { annotations: { [specHashAnnotation]: "theirs" } },
    ),
    csiDriver({ spec: { podInfoOnMount: true } }),
    "update",
    { spec: { attachRequired: true, podInfoOnMount: true, volumeLifecycleModes: ["Persistent"] } },
  ],
  [
    "CSIDriver: a field that the server dropped is sent again",
    asWritten(csiDriver({ spec: { seLinuxMount: true } }), { spec: {} }),
    csiDriver({ spec: { seLinuxMount: true } }),
    "update",
    { spec: { seLinuxMount: true } },
  ],
  [
    "CRD: defaults stay",
    asWritten(definition({ spec: { group: "g" } }), { spec: { group: "g", conversion: { strategy: "None" } } }),
    definition({ spec: { group: "g" } }),
    "none",
  ],
  [
    "CRD: an injected bundle survives a rewrite",
    definition({ spec: { conversion: { webhook: { clientConfig: { caBundle: "PEM" } } } } }),
    definition({ spec: { conversion: { webhook: { clientConfig: { service: "s" } } } } }),
    "update",
    { spec: { conversion: { webhook: { clientConfig: { caBundle: "PEM", service: "s" } } } } },
  ],
  [
    "webhooks: an injected bundle is no difference",
    webhooks({ webhooks: [{ name: "w", clientConfig: { caBundle: "PEM" } }] }),
    webhooks({ webhooks: [{ name: "w" }] }),
    "none",
  ],
  [
    "webhooks: and survives a rewrite",
    webhooks({ webhooks: [{ name: "w", clientConfig: { caBundle: "PEM" } }] }),
    webhooks({ webhooks: [{ name: "w", sideEffects: "None" }] }),
    "update",
    { webhooks: [{ name: "w", sideEffects: "None", clientConfig: { caBundle: "PEM" } }] },
  ],
  [
    "any kind: what others add stays",
    asWritten(monitor({ spec: { a: 1 } }), { spec: { a: 1, f: "x" } }),
    monitor({ spec: { a: 1 } }),
    "none",
  ],
  [
    "any kind: what was changed is set right",
    asWritten(monitor({ spec: { a: 1 } }), { spec: { a: 2, f: "x" } }),
    monitor({ spec: { a: 1 } }),
    "update",
    { spec: { a: 1 } },
  ],
  [
    "any kind: what is no longer wanted goes",
    asWritten(monitor({ spec: { a: 1, b: 2 } })),
    monitor({ spec: { a: 1 } }),
    "update",
    { spec: { a: 1 } },
  ],
  [
    "any kind: a CRD keeps false, so that it must be there",
    asWritten(monitor({ spec: { a: false } }), { spec: {} }),
    monitor({ spec: { a: false } }),
    "update",
  ],
  [
    "any kind without a spec: every wanted field",
    snapshotClass({ driver: "d", parameters: { a: "1" } }),
    snapshotClass({ driver: "d", deletionPolicy: "Retain" }),
    "update",
    { driver: "d", deletionPolicy: "Retain", parameters: { a: "1" } },
  ],
];

describe("what differs", () => {
  test.each<Case>(cases)("%s", (...[, existing, wanted, action, content = {}]) => {
    const before = structuredClone([existing, wanted]);
    const plan = planApply(existing, wanted);
    expect(plan.action).toBe(action);
    const planned: Content = plan.action === "none" ? {} : plan.object;
    for (const [field, value] of Object.entries(content)) expect(planned[field]).toEqual(value);
    expect([existing, wanted]).toEqual(before);
  });

  it("has settled once what was planned is there", () => {
    for (const [name, existing, wanted, action] of cases) {
      if (action === "none") continue;
      const plan = planApply(existing, wanted);
      const after = plan.action === "none" ? existing : plan.object;
      expect([name, planApply(JSON.parse(JSON.stringify(after)) as LooseObject, wanted).action]).toEqual([
        name,
        "none",
      ]);
    }
  });
});

describe("a workload", () => {
  const spec = {
    selector,
    template: {
      metadata: { annotations: { "operator.openshift.io/dep-n.s.secret": "new" } },
      spec: { containers: [{ name: "c", resources: { requests: { cpu: "1000m" } } }] },
    },
  };
  const wanted = deployment({ spec });
  const withGeneration = (changes: Content, generation: number) => asWritten(wanted, changes, { generation });

  test.each<[string, LooseObject, number | undefined, "none" | "update"]>([
    [
      "with the hash and the generation that we wrote is left alone",
      withGeneration({ spec: { replicas: 7 } }, 3),
      3,
      "none",
    ],
    ["of another generation was changed by somebody", withGeneration({}, 4), 3, "update"],
    ["of which no generation is known is written", withGeneration({}, 4), -1, "update"],
    ["without another hash is written", deployment({ spec }, { generation: 3 }), 3, "update"],
    [
      "is compared where generations are not kept",
      withGeneration({ spec: { ...spec, replicas: 7 } }, 3),
      undefined,
      "none",
    ],
    ["is written where something wanted is missing", withGeneration({ spec: { selector } }, 3), undefined, "update"],
  ])("%s", (_, existing, lastGeneration, action) => {
    expect(planApply(existing, wanted, { lastGeneration }).action).toBe(action);
  });

  it("is compared by amounts, not by how they are written", () => {
    const template = structuredClone(spec.template);
    template.spec.containers[0] = { name: "c", resources: { requests: { cpu: "1" } } };
    expect(planApply(withGeneration({ spec: { ...spec, template } }, 1), wanted).action).toBe("none");
  });

  it("keeps foreign annotations of its template, but no outdated ones of operators", () => {
    const annotations = { "kubectl.kubernetes.io/restartedAt": "now", "operator.openshift.io/dep-n.old.secret": "old" };
    const existing = deployment({ spec: { selector, template: { metadata: { annotations } } } }, { generation: 2 });
    const plan = planApply(existing, wanted, { lastGeneration: 1 });
    expect(plan).toMatchObject({ action: "update" });
    expect((plan as unknown as { object: { spec: typeof spec } }).object.spec.template.metadata.annotations).toEqual({
      "kubectl.kubernetes.io/restartedAt": "now",
      "operator.openshift.io/dep-n.s.secret": "new",
    });
  });

  it("with another selector has to be made anew", () => {
    const plan = planApply(deployment({ spec: { selector: { matchLabels: { old: "x" } } } }), wanted);
    expect(plan).toMatchObject({
      action: "recreate",
      object: { spec, metadata: { annotations: { [specHashAnnotation]: specHash(spec) } } },
    });
  });
});

describe("what is made anew", () => {
  it("keeps foreign labels and annotations, and nothing that the server gave", () => {
    const existing = csiDriver(
      { spec: {} },
      { uid: "u", resourceVersion: "9", creationTimestamp: "t", finalizers: ["f"], generation: 4, labels: { f: "x" } },
    );
    const plan = planApply(existing, csiDriver({ spec: { attachRequired: false } }));
    const metadata = plan.action === "recreate" ? JSON.parse(JSON.stringify(plan.object.metadata)) : undefined;
    expect(metadata).toEqual({
      name: "x",
      labels: { f: "x" },
      annotations: { [specHashAnnotation]: specHash({ attachRequired: false }) },
    });
  });
});

describe("the administrator's word", () => {
  const profile = "security.openshift.io/csi-ephemeral-volume-profile";
  const defaultClass = "storageclass.kubernetes.io/is-default-class";

  it("on inline volumes is kept, and set where there is none", () => {
    const wanted = csiDriver({ spec: { volumeLifecycleModes: ["Ephemeral"] } }, inline);
    expect(planApply(asWritten(wanted, {}, { labels: { [profile]: "privileged" } }), wanted)).toEqual({
      action: "none",
    });
    expect(planApply(asWritten(wanted, {}, { labels: {} }), wanted)).toMatchObject({ object: { metadata: inline } });
  });

  it("on the default class is kept, and set where there is none", () => {
    const wanted = storageClass(classContent, { annotations: { [defaultClass]: "true" } });
    expect(planApply(asWritten(wanted, {}, { annotations: { [defaultClass]: "false" } }), wanted)).toEqual({
      action: "none",
    });
    expect(planApply(asWritten(wanted, {}, { annotations: {} }), wanted).action).toBe("update");
  });
});

describe("what contradicts itself is refused", () => {
  test.each([
    [
      "a driver of inline volumes without a profile",
      csiDriver({ spec: { volumeLifecycleModes: ["Ephemeral"] } }),
      "has no label",
    ],
    [
      "a Secret with two values for one key",
      secret({ data: { a: "MQ==" }, stringData: { a: "hunter2" } }),
      "Secret undefined/x has a in data",
    ],
  ])("%s", (_, object, message) => {
    expect(() => desiredNewObject(object)).toThrow(message);
    expect(() => desiredNewObject(object)).not.toThrow("hunter2");
  });
});

it("tells which keys of a ConfigMap changed, never their values", () => {
  const plan = planApply(
    configMap({ data: { b: "1", a: "x" }, binaryData: { c: "AA==" } }),
    configMap({ data: { b: "2" } }),
  );
  expect(plan).toMatchObject({ details: "cause by changes in binaryData.c,data.a,data.b" });
});
