import { describe, expect, it } from "vitest";
import { WriteScene } from "./write-scene.ts";

const configMaps = "/api/v1/namespaces/default/configmaps";
const name64 = "a".repeat(64);

describe("a create", () => {
  it("sets what is the server's, and nothing of what a client says about it", async () => {
    using scene = await WriteScene.withNamespace();
    const metadata = {
      name: "a",
      uid: "mine",
      creationTimestamp: "2000-01-01T00:00:00Z",
      deletionTimestamp: "2000-01-01T00:00:00Z",
    };
    const { code, object } = await scene.send(`POST ${configMaps}`, { metadata, data: { k: "v" } });
    expect(code).toBe(201);
    expect(object).toEqual({
      kind: "ConfigMap",
      apiVersion: "v1",
      metadata: {
        name: "a",
        namespace: "default",
        uid: "uid-2",
        resourceVersion: "3",
        creationTimestamp: "2026-01-01T00:00:00Z",
        managedFields: [
          {
            manager: "tester",
            operation: "Update",
            apiVersion: "v1",
            time: "2026-01-01T00:00:00Z",
            fieldsType: "FieldsV1",
            fieldsV1: { "f:data": { ".": {}, "f:k": {} } },
          },
        ],
      },
      data: { k: "v" },
    });
    expect(scene.kept("/registry/core/configmaps/default/a")).toEqual(object);
  });

  it.each([
    [
      "{",
      `the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse error: unexpected end of JSON input ({)`,
    ],
    [
      "x",
      `the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse error: invalid character 'x' looking for beginning of value (78)`,
    ],
    [
      "",
      `the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse error: unexpected end of JSON input (<empty>)`,
    ],
    [
      { kind: "Secret" },
      `Secret in version "v1" cannot be handled as a ConfigMap: converting (v1.Secret) to (core.ConfigMap): unknown conversion`,
    ],
    [
      { apiVersion: "v9", kind: "ConfigMap" },
      `ConfigMap in version "v9" cannot be handled as a ConfigMap: no kind "ConfigMap" is registered for version "v9" in scheme "pkg/api/legacyscheme/scheme.go:30"`,
    ],
    [
      { metadata: { name: 1 } },
      `ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go struct field ObjectMeta.metadata.name of type string`,
    ],
    [
      { metadata: { name: "a", namespace: "other" } },
      "the namespace of the provided object does not match the namespace sent on the request",
    ],
  ])("refuses %j as a bad request", async (body, message) => {
    using scene = await WriteScene.withNamespace();
    const { code, object } = await scene.send(`POST ${configMaps}`, body);
    expect({ code, ...object }).toMatchObject({ code: 400, reason: "BadRequest", message });
  });

  it.each([
    [{}, 'ConfigMap "" is invalid: metadata.name: Required value: name or generateName is required'],
    [
      { name: "a/b" },
      `ConfigMap "a/b" is invalid: metadata.name: Invalid value: "a/b": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
    ],
    [
      { name: "a", labels: { a: name64 } },
      `ConfigMap "a" is invalid: metadata.labels: Invalid value: "${name64}": must be no more than 63 bytes`,
    ],
    [
      { name: "a", finalizers: ["x"] },
      'ConfigMap "a" is invalid: metadata.finalizers[0]: Invalid value: "x": name is neither a standard finalizer name nor is it fully qualified',
    ],
    [
      { name: "a", finalizers: ["orphan", "foregroundDeletion"] },
      'ConfigMap "a" is invalid: metadata.finalizers: Invalid value: ["orphan","foregroundDeletion"]: finalizer orphan and foregroundDeletion cannot be both set',
    ],
  ])("refuses metadata %j", async (metadata, message) => {
    using scene = await WriteScene.withNamespace();
    const { code, object } = await scene.send(`POST ${configMaps}`, { metadata });
    expect({ code, reason: object.reason, message: object.message }).toEqual({ code: 422, reason: "Invalid", message });
  });

  it("refuses a name that is taken, and says when it will not be for long", async () => {
    using scene = await WriteScene.withNamespace();
    await scene.send(`POST ${configMaps}`, { metadata: { name: "a", finalizers: ["x/y"] } });
    const taken = await scene.send(`POST ${configMaps}`, { metadata: { name: "a" } });
    expect(taken.object).toMatchObject({
      code: 409,
      reason: "AlreadyExists",
      message: 'configmaps "a" already exists',
    });
    await scene.send(`DELETE ${configMaps}/a`);
    const going = await scene.send(`POST ${configMaps}`, { metadata: { name: "a" } });
    expect(going.object.message).toBe('object is being deleted: configmaps "a" already exists');
  });

  it("generates names until one is free, and gives up after eight", async () => {
    using scene = await WriteScene.withNamespace();
    const numbers = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0.99, 0.99, 0.99, 0.99, 0.99];
    scene.random = () => numbers.shift() ?? 0;
    const generated = { metadata: { generateName: "a-" } };
    expect((await scene.send(`POST ${configMaps}`, generated)).object.metadata.name).toBe("a-bbbbb");
    expect((await scene.send(`POST ${configMaps}`, generated)).object.metadata.name).toBe("a-99999");
    const { object } = await scene.send(`POST ${configMaps}`, generated);
    expect(object).toMatchObject({
      code: 409,
      message: 'configmaps "a-bbbbb" already exists, the server was not able to generate a unique name for the object',
      details: { name: "a-bbbbb", kind: "configmaps", retryAfterSeconds: 1 },
    });
  });

  it("needs a namespace that is there and stays", async () => {
    using scene = await WriteScene.withNamespace("going");
    const missing = await scene.send(`POST ${configMaps}`, { metadata: { name: "a" } });
    expect(missing.object).toMatchObject({ code: 404, message: 'namespaces "default" not found' });
    await scene.send("DELETE /api/v1/namespaces/going");
    const { object } = await scene.send("POST /api/v1/namespaces/going/configmaps", { metadata: { name: "a" } });
    expect(object).toMatchObject({
      code: 403,
      reason: "Forbidden",
      message:
        'configmaps "a" is forbidden: unable to create new content in namespace going because it is being terminated',
      details: {
        causes: [
          {
            reason: "NamespaceTerminating",
            message: "namespace going is being terminated",
            field: "metadata.namespace",
          },
        ],
      },
    });
  });

  it("refuses a resourceVersion, in the words of the store", async () => {
    using scene = await WriteScene.withNamespace();
    const { object } = await scene.send(`POST ${configMaps}`, { metadata: { name: "a", resourceVersion: "1" } });
    expect(object).toEqual({
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message: "resourceVersion should not be set on objects to be created",
      code: 500,
    });
  });

  const unknown =
    '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","x":1},"data":{"k":"1","k":"2"},"spec":{}}';
  const problems = ['duplicate field "data.k"', 'unknown field "metadata.x"', 'unknown field "spec"'];

  it("warns of fields that it does not keep, refuses them, or says nothing, as it is asked", async () => {
    using scene = await WriteScene.withNamespace();
    const strict = await scene.send(`POST ${configMaps}?fieldValidation=Strict`, unknown);
    expect(strict.object.message).toBe(
      `ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: ${problems.join(", ")}`,
    );
    expect((await scene.send(`POST ${configMaps}?dryRun=All`, unknown)).warnings).toEqual(problems);
    const ignored = await scene.send(`POST ${configMaps}?fieldValidation=Ignore`, unknown);
    expect(ignored).toMatchObject({ code: 201, warnings: [], object: { data: { k: "2" } } });
    expect(ignored.object).not.toHaveProperty("spec");
  });

  it("keeps nothing of a dry run", async () => {
    using scene = await WriteScene.withNamespace();
    const { code, object } = await scene.send(`POST ${configMaps}?dryRun=All`, { metadata: { name: "a" } });
    expect(code).toBe(201);
    expect(object.metadata).not.toHaveProperty("resourceVersion");
    expect(scene.kept("/registry/core/configmaps/default/a")).toBeUndefined();
    const wrong = await scene.send(`POST ${configMaps}?dryRun=some`, { metadata: { name: "a" } });
    expect(wrong.object.message).toBe(
      'CreateOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: ["some"]: supported values: "All"',
    );
  });

  it("keeps an owner once", async () => {
    using scene = await WriteScene.withNamespace();
    const owner = { apiVersion: "v1", kind: "Pod", name: "p", uid: "u" };
    const { object, warnings } = await scene.send(`POST ${configMaps}`, {
      metadata: { name: "a", ownerReferences: [owner, owner] },
    });
    expect(object.metadata.ownerReferences).toEqual([owner]);
    expect(warnings).toEqual([expect.stringMatching(/duplicate UID\(s\) observed: u$/)]);
  });

  it("reads YAML", async () => {
    using scene = await WriteScene.withNamespace();
    const { object } = await scene.send(
      `POST ${configMaps}`,
      "metadata:\n  name: a\ndata: {k: v}\n",
      "application/yaml",
    );
    expect(object.data).toEqual({ k: "v" });
  });
});
