import {
  type CSIDriver,
  clusterRoleBindings,
  clusterRoles,
  csiDrivers,
  customResourceDefinitions,
  type Deployment,
  deployments,
  type KubernetesObject,
  namespaces,
  type Service,
  serviceAccounts,
  storageClasses,
} from "@stowage/machinery";
import { applyObject, deleteObject, generationStatus, lastGenerationOf, parseManifests } from "@stowage/operator";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { ensureOperatorCrds, type KitBench, readBack, startKitBench } from "./kit-bench.ts";

let bench: KitBench;

beforeAll(async () => {
  bench = await startKitBench();
  await ensureOperatorCrds(bench);
  for (const [type, name] of [
    [namespaces, `other-${bench.suffix}`],
    [clusterRoles, `kit-${bench.suffix}`],
    [clusterRoleBindings, `kit-${bench.suffix}`],
    [csiDrivers, `kit-${bench.suffix}`],
    [storageClasses, `kit-${bench.suffix}`],
    [customResourceDefinitions, `things.${bench.suffix}.test`],
  ] as const) {
    bench.willDelete(type, name);
  }
});

afterAll(() => bench?.[Symbol.asyncDispose]());

/** Manifests as people write them, without what the server fills in. */
const manifests: Readonly<Record<string, string>> = {
  Namespace: "{apiVersion: v1, kind: Namespace, metadata: {name: other-SUFFIX, labels: {a: b}}}",
  ServiceAccount: "{apiVersion: v1, kind: ServiceAccount, metadata: {name: x, namespace: NS}}",
  ConfigMap:
    "{apiVersion: v1, kind: ConfigMap, metadata: {name: x, namespace: NS}, data: {a: '1'}, binaryData: {b: AAEC}}",
  Secret: "{apiVersion: v1, kind: Secret, metadata: {name: x, namespace: NS}, stringData: {a: '1'}}",
  Service: `{apiVersion: v1, kind: Service, metadata: {name: x, namespace: NS},
    spec: {selector: {app: x}, ports: [{name: m, port: 443, targetPort: metrics}, {name: n, port: 80, nodePort: 0}]}}`,
  ClusterRole: `{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: kit-SUFFIX},
    rules: [{apiGroups: [""], resources: [pods], verbs: [get]}]}`,
  ClusterRoleBinding: `{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRoleBinding, metadata: {name: kit-SUFFIX},
    roleRef: {kind: ClusterRole, name: kit-SUFFIX}, subjects: [{kind: ServiceAccount, name: x, namespace: NS}, {kind: User, name: u}]}`,
  Role: "{apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: {name: x, namespace: NS}, rules: []}",
  RoleBinding: `{apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, metadata: {name: x, namespace: NS},
    roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: x}, subjects: [{kind: Group, name: g}]}`,
  Deployment: `
apiVersion: apps/v1
kind: Deployment
metadata: {name: x, namespace: NS}
spec:
  replicas: 0
  selector: {matchLabels: {app: x}}
  strategy: {type: RollingUpdate, rollingUpdate: {maxUnavailable: 1, maxSurge: 0}}
  template:
    metadata: {labels: {app: x}, annotations: {target.workload.openshift.io/management: "{}"}}
    spec:
      hostNetwork: false
      serviceAccount: x
      priorityClassName: ""
      tolerations: [{key: node-role.kubernetes.io/master, operator: Exists}]
      containers:
        - name: csi-driver
          image: example.org/driver
          args: [--v=2]
          env: [{name: EMPTY, value: ""}, {name: NAME, valueFrom: {fieldRef: {fieldPath: metadata.name}}}]
          ports: [{name: healthz, containerPort: 10301, protocol: TCP}]
          livenessProbe: {httpGet: {path: /healthz, port: healthz}, initialDelaySeconds: 0}
          resources: {requests: {cpu: 0.5, memory: 1024Mi}}
          securityContext: {privileged: false}
      volumes: [{name: d, emptyDir: {sizeLimit: 1024Mi}}, {name: s, secret: {secretName: x, defaultMode: 0400}}]
`,
  DaemonSet: `
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: x, namespace: NS}
spec:
  selector: {matchLabels: {app: x}}
  updateStrategy: {type: RollingUpdate, rollingUpdate: {maxUnavailable: 10%}}
  template:
    metadata: {labels: {app: x}}
    spec:
      nodeSelector: {nowhere: "true"}
      containers: [{name: c, image: example.org/driver, volumeMounts: [{name: h, mountPath: /h, mountPropagation: Bidirectional}], securityContext: {privileged: true}}]
      volumes: [{name: h, hostPath: {path: /h, type: Directory}}]
`,
  CSIDriver:
    "{apiVersion: storage.k8s.io/v1, kind: CSIDriver, metadata: {name: kit-SUFFIX}, spec: {podInfoOnMount: true}}",
  StorageClass: `{apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: kit-SUFFIX}, provisioner: p.csi.test,
    parameters: {type: gp3}, volumeBindingMode: WaitForFirstConsumer, allowVolumeExpansion: true}`,
  PodDisruptionBudget: `{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: x, namespace: NS},
    spec: {maxUnavailable: 1, selector: {matchLabels: {app: x}}, unhealthyPodEvictionPolicy: AlwaysAllow}}`,
  NetworkPolicy: `{apiVersion: networking.k8s.io/v1, kind: NetworkPolicy, metadata: {name: x, namespace: NS},
    spec: {podSelector: {matchLabels: {app: x}}, ingress: [{ports: [{port: 443}, {port: 80, protocol: TCP}]}], egress: [{}]}}`,
  CustomResourceDefinition: `{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: things.SUFFIX.test},
    spec: {group: SUFFIX.test, scope: Namespaced, names: {plural: things, kind: Thing}, versions: [{name: v1, served: true, storage: true,
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, x-kubernetes-preserve-unknown-fields: true}}}}}]}}`,
};

function manifestOf(kind: string): KubernetesObject {
  const text = (manifests[kind] ?? "").replaceAll("SUFFIX", bench.suffix).replaceAll("NS", bench.namespace);
  const [object] = parseManifests({ name: `${kind}.yaml`, text });
  return object as KubernetesObject;
}

describe.each(Object.keys(manifests))("%s", (kind) => {
  it("is created, and then nothing is written as long as nothing differs", async () => {
    const object = manifestOf(kind);
    expect((await applyObject(bench.deps, object)).change).toBe("created");
    bench.requests.length = 0;
    for (let turn = 0; turn < 3; turn++) expect((await applyObject(bench.deps, object)).change).toBe("none");
    expect(new Set(bench.requests.map((request) => request.split(" ")[0]))).toEqual(new Set(["find"]));
    expect(bench.eventLines.at(-1)).toMatch(new RegExp(`^Normal ${kind}Created Created ${kind}`, "u"));
  });

  it("keeps foreign labels and annotations when ours are set right", async () => {
    const object = manifestOf(kind);
    const foreign = { metadata: { labels: { foreign: "1" }, annotations: { foreign: "1" } } };
    const { mapper, client } = bench;
    const [version = "", group = ""] = object.apiVersion.split("/").toReversed();
    const type = await mapper.resourceFor({ group, version, kind });
    const { name = "", namespace } = object.metadata;
    await client.patch(type, { name, namespace }, { type: "merge", patch: foreign });
    expect((await applyObject(bench.deps, object)).change).toBe("none");
    const labelled = { ...object, metadata: { ...object.metadata, labels: { ...object.metadata.labels, ours: "1" } } };
    expect((await applyObject(bench.deps, labelled)).change).toBe("updated");
    expect((await readBack(bench, object)).metadata).toMatchObject({
      labels: { foreign: "1", ours: "1" },
      annotations: { foreign: "1" },
    });
    const unlabelled = {
      ...object,
      metadata: { ...object.metadata, labels: { ...object.metadata.labels, "ours-": "" } },
    };
    expect((await applyObject(bench.deps, unlabelled)).change).toBe("updated");
    expect((await readBack(bench, object)).metadata.labels).not.toHaveProperty("ours");
  });
});

describe("what somebody changes is set right", () => {
  test.each([
    ["ConfigMap", { data: { a: "2", c: "3" } }],
    ["Secret", { data: { a: "Mg==" } }],
    ["Service", { spec: { selector: { app: "elsewhere" } } }],
    ["ClusterRole", { rules: [{ apiGroups: ["*"], resources: ["*"], verbs: ["*"] }] }],
    ["RoleBinding", { subjects: [] }],
    ["DaemonSet", { spec: { template: { spec: { hostPID: false, containers: null } } } }],
    ["PodDisruptionBudget", { spec: { maxUnavailable: 2 } }],
    ["NetworkPolicy", { spec: { ingress: [{}] } }],
    ["StorageClass", { allowVolumeExpansion: false }],
  ])("of a %s", async (kind, patch) => {
    const object = manifestOf(kind);
    const [version = "", group = ""] = object.apiVersion.split("/").toReversed();
    const type = await bench.mapper.resourceFor({ group, version, kind });
    const { name = "", namespace } = object.metadata;
    const before = await readBack(bench, object);
    if (kind === "DaemonSet") {
      const json = [{ op: "replace", path: "/spec/template/spec/containers/0/image", value: "example.org/other" }];
      await bench.client.patch(type, { name, namespace }, { type: "json", patch: json });
    } else {
      await bench.client.patch(type, { name, namespace }, { type: "merge", patch });
    }
    expect((await applyObject(bench.deps, object)).change).toBe("updated");
    const { metadata: _was, status: _wasStatus, ...wanted } = before as KubernetesObject & { status?: unknown };
    const {
      metadata: _is,
      status: _isStatus,
      ...now
    } = (await readBack(bench, object)) as typeof before & { status?: unknown };
    expect(now).toEqual(wanted);
    expect((await applyObject(bench.deps, object)).change).toBe("none");
  });
});

describe("what cannot be changed is made anew", () => {
  test.each<[string, (object: KubernetesObject) => object]>([
    ["ClusterRoleBinding", () => ({ roleRef: { kind: "ClusterRole", name: "view" } })],
    ["RoleBinding", () => ({ roleRef: { kind: "ClusterRole", name: "view" } })],
    ["CSIDriver", () => ({ spec: { podInfoOnMount: true, attachRequired: false } })],
    ["StorageClass", () => ({ parameters: { type: "io2" } })],
    ["Secret", () => ({ type: "kubernetes.io/basic-auth", stringData: { username: "u", password: "p" } })],
    ["Service", () => ({ spec: { clusterIP: "None", ports: [{ port: 443 }] } })],
    [
      "Deployment",
      (object) => ({
        spec: {
          ...(object as Deployment).spec,
          selector: { matchLabels: { app: "y" } },
          template: { metadata: { labels: { app: "y" } }, spec: { containers: [{ name: "c", image: "i" }] } },
        },
      }),
    ],
  ])("of a %s", async (kind, changes) => {
    const object = manifestOf(kind);
    const before = await readBack(bench, object);
    const changed = { ...object, stringData: undefined, ...changes(object) };
    expect((await applyObject(bench.deps, changed)).change).toBe("recreated");
    const after = await readBack(bench, object);
    expect(after.metadata.uid).not.toBe(before.metadata.uid);
    expect(after.metadata.labels).toMatchObject({ foreign: "1" });
    expect((await applyObject(bench.deps, changed)).change).toBe("none");
  });

  it("and says what it waits for while the old object has a finalizer", async () => {
    const object = manifestOf("StorageClass");
    const ref = { name: object.metadata.name ?? "" };
    const finalizers = (list: string[] | null) =>
      ({ type: "merge", patch: { metadata: { finalizers: list } } }) as const;
    await bench.client.patch(storageClasses, ref, finalizers(["kit.test/wait"]));
    const changed = { ...object, parameters: { type: "st1" } };
    await expect(applyObject(bench.deps, changed)).rejects.toMatchObject({ code: "OBJECT_BEING_DELETED" });
    await expect(applyObject(bench.deps, changed)).rejects.toMatchObject({ code: "OBJECT_BEING_DELETED" });
    await bench.client.patch(storageClasses, ref, finalizers(null));
    await expect.poll(async () => (await applyObject(bench.deps, changed)).change).toBe("created");
  });
});

describe("a workload", () => {
  const workload = () => {
    const object = manifestOf("Deployment") as Deployment;
    return { ...object, metadata: { ...object.metadata, name: "workload" } };
  };
  const apply = (wanted: Deployment, last: KubernetesObject | undefined) => {
    const status = last && { generations: [generationStatus(deployments, last)] };
    return applyObject(bench.deps, wanted, { lastGeneration: lastGenerationOf(status, deployments, wanted) });
  };

  it("is told by its generation, and a rollout restart is not undone", async () => {
    const { object: created } = await apply(workload(), undefined);
    expect((await apply(workload(), created)).change).toBe("none");

    const ref = { name: "workload", namespace: bench.namespace };
    await bench.client.patch(deployments, ref, { type: "merge", patch: { spec: { replicas: 3 } } });
    const { change, object: righted } = await apply(workload(), created);
    expect([change, righted.spec?.replicas]).toEqual(["updated", 0]);

    const annotations = { "kubectl.kubernetes.io/restartedAt": "now" };
    const restart = { spec: { template: { metadata: { annotations } } } };
    await bench.client.patch(deployments, ref, { type: "merge", patch: restart });
    const { object: restarted } = await apply(workload(), righted);
    expect(restarted.spec?.template.metadata?.annotations).toMatchObject(annotations);
    expect((await apply(workload(), restarted)).change).toBe("none");
  });

  it("that the originals wrote is taken over without a rollout", async () => {
    const existing = await readBack(bench, workload());
    const theirs = { metadata: { annotations: { "operator.openshift.io/spec-hash": "theirs" } } };
    await bench.client.patch(
      deployments,
      { name: "workload", namespace: bench.namespace },
      { type: "merge", patch: theirs },
    );
    const { change, object } = await apply(workload(), existing);
    expect(change).toBe("updated");
    expect(object.spec).toEqual(existing.spec);
  });
});

it("a CSIDriver that the originals wrote is taken over without being made anew", async () => {
  const wanted = { ...manifestOf("CSIDriver"), spec: { podInfoOnMount: true, attachRequired: false } } as CSIDriver;
  const before = await readBack(bench, wanted);
  const theirs = { metadata: { annotations: { "operator.openshift.io/spec-hash": "theirs" } } };
  await bench.client.patch(csiDrivers, { name: wanted.metadata.name ?? "" }, { type: "merge", patch: theirs });
  expect((await applyObject(bench.deps, wanted)).change).toBe("updated");
  expect((await readBack(bench, wanted)).metadata.uid).toBe(before.metadata.uid);
});

it("a Service keeps its address when its ports change", async () => {
  const object = manifestOf("Service") as Service;
  const named = {
    ...object,
    metadata: { ...object.metadata, name: "kept" },
    spec: { ...object.spec, type: "NodePort" },
  } as Service;
  const { object: created } = await applyObject(bench.deps, named);
  const changed = { ...named, spec: { ...named.spec, ports: [{ name: "m", port: 443 }] } } as Service;
  const { change, object: updated } = await applyObject(bench.deps, changed);
  expect(change).toBe("updated");
  expect(updated.spec?.clusterIP).toBe(created.spec?.clusterIP);
  expect(updated.spec?.ports?.[0]?.nodePort).toBe(created.spec?.ports?.[0]?.nodePort);
  expect(updated.spec?.ports).toHaveLength(1);
});

it("an object of a CRD is kept as wanted, and optional kinds that are missing are left out", async () => {
  bench.mapper.invalidate();
  const thing = {
    apiVersion: `${bench.suffix}.test/v1`,
    kind: "Thing",
    metadata: { name: "x", namespace: bench.namespace },
    spec: { off: false, list: [1] },
  };
  expect((await applyObject(bench.deps, thing)).change).toBe("created");
  expect((await applyObject(bench.deps, thing)).change).toBe("none");
  const less = { ...thing, spec: { off: false } };
  expect((await applyObject(bench.deps, less)).change).toBe("updated");
  expect(await readBack(bench, thing)).toMatchObject({ spec: { off: false } });
  expect(await readBack(bench, thing)).not.toHaveProperty("spec.list");
  const monitor = { apiVersion: "monitoring.absent.test/v1", kind: "Absent", metadata: { name: "m" } };
  expect((await applyObject(bench.deps, monitor, { optional: true })).change).toBe("skipped");
  expect(await deleteObject(bench.deps, monitor)).toBe("none");
});

it("what is deleted is gone, and deleting it again is nothing", async () => {
  const object = manifestOf("ServiceAccount");
  expect(await deleteObject(bench.deps, object)).toBe("deleted");
  expect(await deleteObject(bench.deps, object)).toBe("none");
  const ref = { name: "x", namespace: bench.namespace };
  expect(await bench.client.find(serviceAccounts, ref)).toBeUndefined();
});
