import type { CustomResourceDefinition } from "@stowage/machinery";
import { describe, expect, it } from "vitest";
import { WriteScene } from "../verbs/writes/write-scene.ts";

const secrets = "/api/v1/namespaces/default/secrets";
const configMaps = "/api/v1/namespaces/default/configmaps";
const claims = "/api/v1/namespaces/default/persistentvolumeclaims";
const storage = "/apis/storage.k8s.io/v1";
const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const widgets = "/apis/example.com/v1/namespaces/default/widgets";

const schema = {
  type: "object",
  properties: {
    spec: { type: "object", properties: { size: { type: "integer", minimum: 1, default: 3 } } },
    status: { type: "object", properties: { ready: { type: "boolean" } } },
  },
};

const version = (name: string, storage: boolean) => ({
  name,
  served: true,
  storage,
  schema: { openAPIV3Schema: schema },
  subresources: { status: {} },
});

const widgetDefinition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "widgets.example.com" },
  spec: {
    group: "example.com",
    names: { plural: "widgets", kind: "Widget" },
    scope: "Namespaced",
    versions: [version("v1", false), version("v2", true)],
  },
};

async function withWidgets(): Promise<WriteScene> {
  const scene = await WriteScene.withNamespace();
  scene.define(widgetDefinition as unknown as CustomResourceDefinition);
  return scene;
}

const widget = (spec: object, apiVersion = "example.com/v1") => ({
  apiVersion,
  kind: "Widget",
  metadata: { name: "w" },
  spec,
});

describe("objects of a definition", () => {
  it("are pruned, defaulted, counted, and kept in the version that is stored", async () => {
    using scene = await withWidgets();
    const sent = { ...widget({ color: "red" }), status: { ready: true } };
    const { object, warnings } = await scene.send(`POST ${widgets}`, sent);
    expect(warnings).toEqual(['unknown field "spec.color"']);
    expect(object).toMatchObject({ apiVersion: "example.com/v1", spec: { size: 3 }, metadata: { generation: 1 } });
    expect(object).not.toHaveProperty("status");
    expect(Object.keys(object)).toEqual(["apiVersion", "kind", "metadata", "spec"]);
    expect(scene.kept("/registry/example.com/widgets/default/w")).toEqual({ ...object, apiVersion: "example.com/v2" });
  });

  const refusals: [object, number, string][] = [
    [
      widget({}, "example.com/v2"),
      400,
      "the API version in the data (example.com/v2) does not match the expected API version (example.com/v1)",
    ],
    [
      { metadata: { name: "w" } },
      400,
      `the object provided is unrecognized (must be of type Widget): Object 'Kind' is missing in '{"metadata":{"name":"w"}}' ({"metadata":{"name":"w"}})`,
    ],
    [
      { ...widget({}), kind: "Other" },
      422,
      'Widget.example.com "w" is invalid: kind: Invalid value: "Other": must be Widget',
    ],
    [
      widget({ size: 0 }),
      422,
      'Widget.example.com "w" is invalid: spec.size: Invalid value: 0: spec.size in body should be greater than or equal to 1',
    ],
  ];

  it.each(refusals)("are refused: %j", async (body, code, message) => {
    using scene = await withWidgets();
    const answer = await scene.send(`POST ${widgets}`, body);
    expect({ code: answer.code, message: answer.object.message }).toEqual({ code, message });
  });

  it("have a status of their own, and a generation that it does not raise", async () => {
    using scene = await withWidgets();
    await scene.send(`POST ${widgets}`, widget({ size: 2 }));
    const status = await scene.patch(`${widgets}/w/status`, {
      metadata: { labels: { a: "b" } },
      spec: { size: 9 },
      status: { ready: true },
    });
    expect(status.object).toMatchObject({ spec: { size: 2 }, status: { ready: true }, metadata: { generation: 1 } });
    expect(status.object.metadata).not.toHaveProperty("labels");
    const spec = await scene.patch(`${widgets}/w`, { spec: { size: 4 }, status: { ready: false } });
    expect(spec.object).toMatchObject({ spec: { size: 4 }, status: { ready: true }, metadata: { generation: 2 } });
  });

  it("need a version to be replaced, and take no strategic patch", async () => {
    using scene = await withWidgets();
    await scene.send(`POST ${widgets}`, widget({}));
    const { object } = await scene.send(`PUT ${widgets}/w`, widget({}));
    expect(object.message).toBe(
      'widgets.example.com "w" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update',
    );
    expect((await scene.patch(`${widgets}/w`, {}, "strategic-merge-patch+json")).code).toBe(415);
  });

  it("that are going stay as they are when nothing is changed", async () => {
    using scene = await withWidgets();
    await scene.send(`POST ${widgets}`, { ...widget({}), metadata: { name: "w", finalizers: ["x/y"] } });
    const going = await scene.send(`DELETE ${widgets}/w`);
    expect(going.object.metadata).toMatchObject({ deletionGracePeriodSeconds: 0, generation: 2 });
    expect((await scene.patch(`${widgets}/w`, {})).object).toEqual(going.object);
    const labelled = await scene.patch(`${widgets}/w`, { metadata: { labels: { a: "b" } } });
    expect(labelled.object.metadata.deletionGracePeriodSeconds).toBe(0);
  });

  it("have finalizers with a domain, or a warning", async () => {
    using scene = await withWidgets();
    const { warnings } = await scene.send(`POST ${widgets}`, {
      ...widget({}),
      metadata: { name: "w", finalizers: ["x"] },
    });
    expect(warnings).toEqual([
      'metadata.finalizers: "x": prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers',
    ]);
  });
});

describe("a definition", () => {
  it("gets its defaults and its first stored version", async () => {
    using scene = new WriteScene();
    const { code, object } = await scene.send(`POST ${definitions}`, widgetDefinition);
    expect(code).toBe(201);
    expect(object).toMatchObject({
      metadata: { generation: 1 },
      spec: { names: { singular: "widget", listKind: "WidgetList" }, conversion: { strategy: "None" } },
      status: { storedVersions: ["v2"], acceptedNames: { plural: "", kind: "" }, conditions: null },
    });
  });

  it("must be called after what it defines", async () => {
    using scene = new WriteScene();
    const { object } = await scene.send(`POST ${definitions}`, {
      ...widgetDefinition,
      metadata: { name: "w.example.com" },
    });
    expect(object.message).toBe(
      'CustomResourceDefinition.apiextensions.k8s.io "w.example.com" is invalid: metadata.name: Invalid value: "w.example.com": must be spec.names.plural+"."+spec.group',
    );
  });

  it("stays until its objects are gone", async () => {
    using scene = new WriteScene();
    await scene.send(`POST ${definitions}`, widgetDefinition);
    const { object } = await scene.send(`DELETE ${definitions}/widgets.example.com`);
    expect(object).toMatchObject({
      metadata: { finalizers: ["customresourcecleanup.apiextensions.k8s.io"] },
      status: { conditions: [{ type: "Terminating", reason: "InstanceDeletionPending" }] },
    });
  });
});

describe("what is particular to a kind", () => {
  it("a Secret keeps plain text encoded, and its type", async () => {
    using scene = await WriteScene.withNamespace();
    const { object } = await scene.send(`POST ${secrets}`, { metadata: { name: "s" }, stringData: { k: "v" } });
    expect(object).toMatchObject({ data: { k: "dg==" }, type: "Opaque" });
    expect(object).not.toHaveProperty("stringData");
    const retyped = await scene.patch(`${secrets}/s`, { type: "other" });
    expect(retyped.object.message).toBe('Secret "s" is invalid: type: Invalid value: "other": field is immutable');
  });

  it("a ConfigMap can be sealed", async () => {
    using scene = await WriteScene.withNamespace();
    await scene.send(`POST ${configMaps}`, { metadata: { name: "c" }, immutable: true, data: { k: "v" } });
    const { object } = await scene.patch(`${configMaps}/c`, { data: { k: "w" }, immutable: false });
    expect(object.message).toBe(
      'ConfigMap "c" is invalid: [immutable: Forbidden: field is immutable when `immutable` is set, data: Forbidden: field is immutable when `immutable` is set]',
    );
    const key = await scene.send(`POST ${configMaps}`, { metadata: { name: "d" }, data: { "a/b": "" } });
    expect(key.object.message).toBe(
      `ConfigMap "d" is invalid: data[a/b]: Invalid value: "a/b": a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')`,
    );
  });

  it("a claim begins pending, is bound once, and grows only", async () => {
    using scene = await WriteScene.withNamespace();
    const spec = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } }, storageClassName: "" };
    const { object } = await scene.send(`POST ${claims}`, { metadata: { name: "c" }, spec });
    expect(object).toMatchObject({ spec, status: { phase: "Pending" } });
    expect((await scene.patch(`${claims}/c`, { spec: { volumeName: "v" } })).code).toBe(200);
    const moved = await scene.patch(`${claims}/c`, { spec: { volumeName: "w" } });
    expect(moved.object.message).toMatch(
      /^PersistentVolumeClaim "c" is invalid: spec: Forbidden: spec is immutable after creation except/,
    );
    await scene.patch(`${claims}/c/status`, { status: { phase: "Bound", capacity: { storage: "1Gi" } } });
    expect((await scene.patch(`${claims}/c`, { spec: { resources: { requests: { storage: "2Gi" } } } })).code).toBe(
      200,
    );
    const shrunk = await scene.patch(`${claims}/c`, { spec: { resources: { requests: { storage: "1Mi" } } } });
    expect(shrunk.object.message).toBe(
      'PersistentVolumeClaim "c" is invalid: spec.resources.requests.storage: Forbidden: field can not be less than status.capacity',
    );
  });

  it("a volume says since when it is in its phase", async () => {
    using scene = await WriteScene.withNamespace();
    const csi = { driver: "d", volumeHandle: "h" };
    const spec = { csi, capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"] };
    const made = await scene.send("POST /api/v1/persistentvolumes", { metadata: { name: "v" }, spec });
    expect(made.object.status).toEqual({ phase: "Pending", lastPhaseTransitionTime: "2026-01-01T00:00:00Z" });
    scene.nowMs += 5000;
    const bound = await scene.patch("/api/v1/persistentvolumes/v/status", { status: { phase: "Bound" } });
    expect(bound.object.status).toEqual({ phase: "Bound", lastPhaseTransitionTime: "2026-01-01T00:00:05Z" });
    const moved = await scene.patch("/api/v1/persistentvolumes/v", { spec: { csi: { volumeHandle: "i" } } });
    expect(moved.object.message).toContain(
      'PersistentVolume "v" is invalid: spec.persistentvolumesource: Forbidden: spec.persistentvolumesource is immutable after creation\n@@',
    );
  });

  it("a StorageClass, an attachment and a driver keep what others rely on", async () => {
    using scene = await WriteScene.withNamespace();
    await scene.send(`POST ${storage}/storageclasses`, { metadata: { name: "s" }, provisioner: "x" });
    const klass = await scene.patch(`${storage}/storageclasses/s`, { provisioner: "y" });
    expect(klass.object.message).toBe(
      'StorageClass.storage.k8s.io "s" is invalid: provisioner: Invalid value: "y": field is immutable',
    );
    await scene.send(`POST ${storage}/csidrivers`, { metadata: { name: "d" }, spec: { attachRequired: true } });
    const driver = await scene.patch(`${storage}/csidrivers/d`, { spec: { attachRequired: false } });
    expect(driver.object.message).toBe(
      'CSIDriver.storage.k8s.io "d" is invalid: spec.attachedRequired: Invalid value: false: field is immutable',
    );
    const spec = { attacher: "d", nodeName: "n", source: { persistentVolumeName: "v" } };
    const made = await scene.send(`POST ${storage}/volumeattachments`, {
      metadata: { name: "a" },
      spec,
      status: { attached: true },
    });
    expect(made.object.status).toEqual({ attached: false });
    const moved = await scene.patch(`${storage}/volumeattachments/a`, { spec: { nodeName: "m" } });
    expect(moved.object.message).toMatch(
      /^VolumeAttachment\.storage\.k8s\.io "a" is invalid: spec: Invalid value: .*: field is immutable$/,
    );
  });

  it("a Pod may get another image, and little else", async () => {
    using scene = await WriteScene.withNamespace();
    const pod = "/api/v1/namespaces/default/pods";
    const containers = [{ name: "c", image: "i" }];
    const made = await scene.send(`POST ${pod}`, { metadata: { name: "p" }, spec: { containers } });
    expect(made.object).toMatchObject({
      metadata: { generation: 1 },
      status: { phase: "Pending", qosClass: "BestEffort" },
    });
    const image = await scene.patch(`${pod}/p`, { spec: { containers: [{ name: "c", image: "j" }] } });
    expect(image).toMatchObject({ code: 200, object: { metadata: { generation: 2 } } });
    const more = await scene.patch(`${pod}/p`, { spec: { containers: [...containers, { name: "d", image: "i" }] } });
    expect(more.object.message).toBe(
      'Pod "p" is invalid: spec.containers: Forbidden: pod updates may not add or remove containers',
    );
    const toleration = { key: "k", operator: "Exists", effect: "NoExecute", tolerationSeconds: 5 };
    await scene.patch(`${pod}/p`, { spec: { tolerations: [toleration] } });
    const longer = { spec: { tolerations: [{ ...toleration, tolerationSeconds: 9 }] } };
    expect((await scene.patch(`${pod}/p`, longer)).code).toBe(200);
    const none = await scene.patch(`${pod}/p`, { spec: { tolerations: null } });
    expect(none.object.message).toBe(
      'Pod "p" is invalid: spec.tolerations: Forbidden: existing toleration can not be modified except its tolerationSeconds',
    );
    const host = await scene.patch(`${pod}/p`, { spec: { hostNetwork: true } });
    expect(host.object.message).toMatch(
      /^Pod "p" is invalid: spec: Forbidden: pod updates may not change fields other than `spec\.containers/,
    );
  });

  it("a binding stays with its role", async () => {
    using scene = new WriteScene();
    const bindings = "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings";
    const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "r" };
    expect((await scene.send(`POST ${bindings}`, { metadata: { name: "system:b" }, roleRef })).code).toBe(201);
    const { object } = await scene.patch(`${bindings}/system:b`, { roleRef: { name: "s" } });
    expect(object.message).toMatch(/roleRef: Invalid value: .*: cannot change roleRef$/);
  });
});
