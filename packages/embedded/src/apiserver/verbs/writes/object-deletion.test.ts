import { describe, expect, it } from "vitest";
import type { Change } from "../../store/index.ts";
import { WriteScene } from "./write-scene.ts";

const configMaps = "/api/v1/namespaces/default/configmaps";
const pods = "/api/v1/namespaces/default/pods";

async function withConfigMap(metadata: object = {}): Promise<WriteScene> {
  const scene = await WriteScene.withNamespace();
  await scene.send(`POST ${configMaps}`, { metadata: { name: "a", ...metadata } });
  return scene;
}

async function withPod(spec: object = { nodeName: "n" }): Promise<WriteScene> {
  const scene = await WriteScene.withNamespace();
  const containers = [{ name: "c", image: "i" }];
  await scene.send(`POST ${pods}`, {
    metadata: { name: "p" },
    spec: { containers, terminationGracePeriodSeconds: 30, ...spec },
  });
  return scene;
}

describe("a delete", () => {
  it("removes at once what nothing holds, and says what it was", async () => {
    using scene = await withConfigMap();
    const { code, object } = await scene.send(`DELETE ${configMaps}/a`);
    expect(code).toBe(200);
    expect(object).toEqual({
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Success",
      details: { name: "a", kind: "configmaps", uid: "uid-2" },
    });
    const again = await scene.send(`DELETE ${configMaps}/a`);
    expect(again.object).toMatchObject({ code: 404, message: 'configmaps "a" not found' });
  });

  it("answers with the object for kinds that do so, at the version of its going", async () => {
    using scene = await WriteScene.withNamespace();
    const classes = "/apis/storage.k8s.io/v1/storageclasses";
    await scene.send(`POST ${classes}`, { metadata: { name: "s" }, provisioner: "x" });
    const { object } = await scene.send(`DELETE ${classes}/s`);
    expect(object).toMatchObject({ kind: "StorageClass", metadata: { resourceVersion: String(scene.store.revision) } });
  });

  it.each([
    [{ propagationPolicy: "Foreground" }, ["x/y", "foregroundDeletion"]],
    [{ propagationPolicy: "Orphan" }, ["x/y", "orphan"]],
    [{ orphanDependents: true }, ["x/y", "orphan"]],
    [{ propagationPolicy: "Background" }, ["x/y"]],
    [undefined, ["x/y"]],
  ])("with %j marks what has finalizers", async (options, finalizers) => {
    using scene = await withConfigMap({ finalizers: ["x/y"] });
    const { code, object } = await scene.send(`DELETE ${configMaps}/a`, options);
    expect(code).toBe(200);
    expect(object.metadata).toMatchObject({
      finalizers,
      deletionTimestamp: "2026-01-01T00:00:00Z",
      deletionGracePeriodSeconds: 0,
    });
    expect(scene.kept("/registry/core/configmaps/default/a")).toEqual(object);
  });

  const refusals: [object, number, string][] = [
    [
      { propagationPolicy: "Later" },
      422,
      'DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Unsupported value: "Later": supported values: "Foreground", "Background", "Orphan", "nil"',
    ],
    [
      { propagationPolicy: "Orphan", orphanDependents: true },
      422,
      'DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Invalid value: "Orphan": orphanDependents and deletionPropagation cannot be both set',
    ],
    [
      { preconditions: { uid: "u" } },
      409,
      'Operation cannot be fulfilled on ConfigMap "a": the UID in the precondition (u) does not match the UID in record (uid-2). The object might have been deleted and then recreated',
    ],
    [
      { preconditions: { resourceVersion: "1" } },
      409,
      'Operation cannot be fulfilled on ConfigMap "a": the ResourceVersion in the precondition (1) does not match the ResourceVersion in record (3). The object might have been modified',
    ],
  ];

  it.each(refusals)("with %j is refused", async (options, code, message) => {
    using scene = await withConfigMap();
    const answer = await scene.send(`DELETE ${configMaps}/a`, options);
    expect({ code: answer.code, message: answer.object.message }).toEqual({ code, message });
    expect(scene.kept("/registry/core/configmaps/default/a")).toBeDefined();
  });

  it("does nothing in a dry run", async () => {
    using scene = await withConfigMap();
    expect((await scene.send(`DELETE ${configMaps}/a?dryRun=All`)).object.status).toBe("Success");
    expect(scene.kept("/registry/core/configmaps/default/a")).toBeDefined();
  });

  it("gives a Pod on a node its time, which can only be shortened", async () => {
    using scene = await withPod();
    const first = await scene.send(`DELETE ${pods}/p`);
    expect(first.object.metadata).toMatchObject({
      deletionTimestamp: "2026-01-01T00:00:30Z",
      deletionGracePeriodSeconds: 30,
      generation: 2,
    });
    const longer = await scene.send(`DELETE ${pods}/p?gracePeriodSeconds=60`);
    expect(longer.object.metadata.deletionGracePeriodSeconds).toBe(30);
    const shorter = await scene.send(`DELETE ${pods}/p?gracePeriodSeconds=5`);
    expect(shorter.object.metadata).toMatchObject({
      deletionTimestamp: "2026-01-01T00:00:05Z",
      deletionGracePeriodSeconds: 5,
      generation: 2,
    });
  });

  it("shows a Pod that is forced to go as marked before it is gone", async () => {
    using scene = await withPod();
    const seen: string[] = [];
    const listener = (changes: readonly Change[]) => {
      for (const { text } of changes) seen.push(text === undefined ? "gone" : "marked");
    };
    using _ = scene.store.watch(scene.store.revision, listener);
    const { code, object } = await scene.send(`DELETE ${pods}/p?gracePeriodSeconds=0`);
    expect(code).toBe(200);
    expect(object.metadata).toMatchObject({
      deletionGracePeriodSeconds: 0,
      resourceVersion: String(scene.store.revision),
    });
    expect(seen).toEqual(["marked", "gone"]);
  });

  it("waits for no Pod that never ran", async () => {
    using scene = await withPod({});
    await scene.send(`DELETE ${pods}/p`);
    expect(scene.kept("/registry/core/pods/default/p")).toBeUndefined();
  });

  it("of a Namespace marks it, and lets it go when it is finalized", async () => {
    using scene = await WriteScene.withNamespace("n");
    const path = "/api/v1/namespaces/n";
    const { object } = await scene.send(`DELETE ${path}`);
    expect(object).toMatchObject({
      metadata: { deletionTimestamp: "2026-01-01T00:00:00Z" },
      spec: { finalizers: ["kubernetes"] },
      status: { phase: "Terminating" },
    });
    const plain = await scene.send(`PUT ${path}`, { ...object, spec: {} });
    expect(plain.object.spec).toEqual({ finalizers: ["kubernetes"] });
    expect((await scene.send(`PUT ${path}/finalize`, { ...object, spec: {} })).code).toBe(200);
    expect(scene.kept("/registry/core/namespaces/n")).toBeUndefined();
  });

  it("leaves the namespaces that a cluster needs", async () => {
    using scene = await WriteScene.withNamespace("default");
    const { object } = await scene.send("DELETE /api/v1/namespaces/default");
    expect(object).toMatchObject({
      code: 403,
      message: 'namespaces "default" is forbidden: this namespace may not be deleted',
    });
  });
});

describe("a delete of a collection", () => {
  it("removes what is selected, and answers with it", async () => {
    using scene = await WriteScene.withNamespace();
    for (const [name, app] of [
      ["a", "x"],
      ["b", "y"],
      ["c", "x"],
    ]) {
      await scene.send(`POST ${configMaps}`, { metadata: { name, labels: { app } } });
    }
    const { code, object } = await scene.send(`DELETE ${configMaps}?labelSelector=app%3Dx`);
    expect(code).toBe(200);
    expect(object).toMatchObject({
      kind: "ConfigMapList",
      items: [{ metadata: { name: "a" } }, { metadata: { name: "c" } }],
    });
    const left = scene.store.list("/registry/core/configmaps/")?.objects.map(({ key }) => key);
    expect(left).toEqual(["/registry/core/configmaps/default/b"]);
  });
});
