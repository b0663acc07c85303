import { describe, expect, it } from "vitest";
import { WriteScene } from "./write-scene.ts";

const configMaps = "/api/v1/namespaces/default/configmaps";
const deployments = "/apis/apps/v1/namespaces/default/deployments";

async function withConfigMap(metadata: object = {}): Promise<WriteScene> {
  const scene = await WriteScene.withNamespace();
  await scene.send(`POST ${configMaps}`, { metadata: { name: "a", ...metadata }, data: { k: "1" } });
  return scene;
}

const refusals: [string, object, number, string][] = [
  [
    "another name",
    { metadata: { name: "b" } },
    400,
    "the name of the object (b) does not match the name on the URL (a)",
  ],
  ["no name", {}, 400, "the name of the object (a based on URL) was undeterminable: name must be provided"],
  [
    "an old version",
    { metadata: { name: "a", resourceVersion: "1" } },
    409,
    'Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply your changes to the latest version and try again',
  ],
  [
    "no version",
    { metadata: { name: "a", resourceVersion: "x" } },
    500,
    'strconv.ParseUint: parsing "x": invalid syntax',
  ],
  [
    "another uid",
    { metadata: { name: "a", uid: "u" } },
    409,
    'Operation cannot be fulfilled on configmaps "a": StorageError: invalid object, Code: 4, Key: /registry/configmaps/default/a, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: u, UID in object meta: uid-2',
  ],
];

describe("an update", () => {
  it.each(refusals)("with %s is refused", async (_, body, code, message) => {
    using scene = await withConfigMap();
    const answer = await scene.send(`PUT ${configMaps}/a`, body);
    expect({ code: answer.code, message: answer.object.message }).toEqual({ code, message });
  });

  it("of nothing is not found, but for kinds that are made by it", async () => {
    using scene = await WriteScene.withNamespace();
    const { object } = await scene.send(`PUT ${configMaps}/a`, { metadata: { name: "a" } });
    expect(object).toMatchObject({ code: 404, message: 'configmaps "a" not found' });
    const leases = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
    expect((await scene.send(`PUT ${leases}/a`, { metadata: { name: "a" } })).code).toBe(201);
  });

  it("without a version needs a kind that allows it", async () => {
    using scene = await WriteScene.withNamespace();
    const leases = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
    await scene.send(`POST ${leases}`, { metadata: { name: "a" } });
    const { object } = await scene.send(`PUT ${leases}/a`, { metadata: { name: "a" } });
    expect(object.message).toBe(
      'leases.coordination.k8s.io "a" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update',
    );
  });

  it("that changes nothing makes no version", async () => {
    using scene = await withConfigMap();
    const before = scene.store.revision;
    scene.nowMs += 60_000;
    const { code, object } = await scene.send(`PUT ${configMaps}/a`, { metadata: { name: "a" }, data: { k: "1" } });
    expect({ code, version: object.metadata.resourceVersion, revision: scene.store.revision }).toEqual({
      code: 200,
      version: String(before),
      revision: before,
    });
  });

  it("keeps what is the server's", async () => {
    using scene = await withConfigMap();
    const metadata = { name: "a", creationTimestamp: "2000-01-01T00:00:00Z", generation: 7 };
    const { object } = await scene.send(`PUT ${configMaps}/a`, { metadata, data: { k: "2" } });
    expect(object.metadata).toMatchObject({ uid: "uid-2", creationTimestamp: "2026-01-01T00:00:00Z" });
    expect(object.metadata).not.toHaveProperty("generation");
  });

  it("forgets managers when it is asked to, and keeps them when it is not", async () => {
    using scene = await withConfigMap();
    const kept = await scene.send(`PUT ${configMaps}/a`, { metadata: { name: "a" }, data: { k: "2" } });
    expect(kept.object.metadata.managedFields).toHaveLength(1);
    const cleared = await scene.send(`PUT ${configMaps}/a`, {
      metadata: { name: "a", managedFields: [] },
      data: { k: "2" },
    });
    expect(cleared.object.metadata).not.toHaveProperty("managedFields");
  });

  it("that takes the last finalizer of an object that is going removes it, and adds none", async () => {
    using scene = await withConfigMap({ finalizers: ["x/y"] });
    await scene.send(`DELETE ${configMaps}/a`);
    const added = await scene.patch(`${configMaps}/a`, { metadata: { finalizers: ["x/y", "x/z"] } });
    expect(added.object.message).toBe(
      'ConfigMap "a" is invalid: metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"x/z"}',
    );
    const last = await scene.patch(`${configMaps}/a`, { metadata: { finalizers: null } });
    expect(last.code).toBe(200);
    expect(scene.kept("/registry/core/configmaps/default/a")).toBeUndefined();
  });

  it("raises the generation by the spec alone, and leaves the status to its own place", async () => {
    using scene = await WriteScene.withNamespace();
    const pods = { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "a", image: "b" }] } };
    const spec = { replicas: 1, selector: { matchLabels: { a: "b" } }, template: pods };
    const made = await scene.send(`POST ${deployments}`, { metadata: { name: "a" }, spec, status: { replicas: 9 } });
    expect(made.object).toMatchObject({ metadata: { generation: 1 }, spec: { strategy: {} } });
    expect(made.object.status).toEqual({});
    const labelled = await scene.patch(`${deployments}/a`, {
      metadata: { labels: { x: "y" } },
      status: { replicas: 9 },
    });
    expect(labelled.object).toMatchObject({ metadata: { generation: 1 }, status: {} });
    const scaled = await scene.patch(`${deployments}/a`, { spec: { replicas: 2 } });
    expect(scaled.object.metadata.generation).toBe(2);
    const status = await scene.patch(`${deployments}/a/status`, {
      spec: { replicas: 5 },
      status: { replicas: 2 },
    });
    expect(status.object).toMatchObject({
      metadata: { generation: 2 },
      spec: { replicas: 2 },
      status: { replicas: 2 },
    });
    expect(status.object.metadata.managedFields.at(-1)).toMatchObject({ subresource: "status" });
  });
});
