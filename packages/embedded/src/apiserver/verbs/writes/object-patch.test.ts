import { describe, expect, it } from "vitest";
import { WriteScene } from "./write-scene.ts";

const path = "/api/v1/namespaces/default/configmaps/a";

async function withConfigMap(): Promise<WriteScene> {
  const scene = await WriteScene.withNamespace();
  await scene.send("POST /api/v1/namespaces/default/configmaps", { metadata: { name: "a" }, data: { k: "1" } });
  return scene;
}

const apply = (data: object) => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, data });

describe("a patch", () => {
  it.each([
    ["json-patch+json", [{ op: "add", path: "/data/x", value: "2" }]],
    ["merge-patch+json", { data: { x: "2" } }],
    ["strategic-merge-patch+json", { data: { x: "2" } }],
  ])("of the type %s changes what it says", async (type, patch) => {
    using scene = await withConfigMap();
    const { code, object } = await scene.patch(path, patch, type);
    expect({ code, data: object.data }).toEqual({ code: 200, data: { k: "1", x: "2" } });
  });

  const refusals: [string, unknown, number, string][] = [
    ["json", {}, 415, "415: Unsupported Media Type"],
    [
      "json-patch+json",
      {},
      400,
      "error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp",
    ],
    [
      "merge-patch+json",
      [],
      400,
      "error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}",
    ],
    ["merge-patch+json", "{", 400, "error decoding patch: unexpected end of JSON input"],
    [
      "json-patch+json",
      [{ op: "remove", path: "/data/none" }],
      422,
      "the server rejected our request due to an error in our request",
    ],
    [
      "merge-patch+json",
      { metadata: { name: "b" } },
      400,
      "the name of the object (b) does not match the name on the URL (a)",
    ],
    [
      "merge-patch+json",
      { metadata: { namespace: "b" } },
      400,
      "the namespace of the provided object does not match the namespace sent on the request",
    ],
    [
      "merge-patch+json",
      { metadata: { uid: "b" } },
      422,
      'ConfigMap "a" is invalid: metadata.uid: Invalid value: "b": field is immutable',
    ],
    [
      "merge-patch+json",
      { metadata: { resourceVersion: "1" } },
      409,
      'Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply your changes to the latest version and try again',
    ],
    [
      "apply-patch+yaml",
      apply({}),
      422,
      'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch',
    ],
  ];

  it.each(refusals)("%s %j is refused", async (type, patch, code, message) => {
    using scene = await withConfigMap();
    const answer = await scene.patch(path, patch, type);
    expect({ code: answer.code, message: answer.object.message }).toEqual({ code, message });
  });

  it("warns of unknown fields, and refuses them when it is asked to", async () => {
    using scene = await withConfigMap();
    expect((await scene.patch(path, { spec: {} })).warnings).toEqual(['unknown field "spec"']);
    const strict = await scene.patch(`${path}?fieldValidation=Strict`, { spec: {} });
    expect(strict.object.message).toMatch(
      /^ "" is invalid: patch: Invalid value: .*: strict decoding error: unknown field "spec"$/,
    );
  });

  it("of nothing is not found, but for an apply, which makes it", async () => {
    using scene = await WriteScene.withNamespace();
    expect((await scene.patch(path, {})).object.message).toBe('configmaps "a" not found');
    const made = await scene.patch(`${path}?fieldManager=me`, apply({ k: "1" }), "apply-patch+yaml");
    expect(made.code).toBe(201);
    expect(made.object.metadata.managedFields).toMatchObject([{ manager: "me", operation: "Apply" }]);
  });

  it("by apply conflicts with what others own, unless it takes it", async () => {
    using scene = await withConfigMap();
    const refused = await scene.patch(`${path}?fieldManager=me`, apply({ k: "2" }), "apply-patch+yaml");
    expect(refused.object).toMatchObject({
      code: 409,
      reason: "Conflict",
      message: 'Apply failed with 1 conflict: conflict with "tester" using v1: .data.k',
      details: {
        causes: [{ reason: "FieldManagerConflict", message: 'conflict with "tester" using v1', field: ".data.k" }],
      },
    });
    const forced = await scene.patch(`${path}?fieldManager=me&force=true`, apply({ k: "2" }), "apply-patch+yaml");
    expect(forced).toMatchObject({ code: 200, object: { data: { k: "2" } } });
    const again = await scene.patch(`${path}?fieldManager=me`, apply({ k: "2" }), "apply-patch+yaml");
    expect(again.object.metadata.resourceVersion).toBe(forced.object.metadata.resourceVersion);
  });

  it("by apply goes as deep as any other", async () => {
    using scene = await withConfigMap();
    const deep = JSON.parse(`${'{"a":'.repeat(990)}1${"}".repeat(990)}`);
    const { object } = await scene.patch(`${path}?fieldManager=me`, { ...apply({}), deep }, "apply-patch+yaml");
    expect(object).toMatchObject({
      code: 500,
      message: expect.stringContaining(".deep: field not declared in schema"),
    });
  });

  it("by apply of another kind is refused", async () => {
    using scene = await withConfigMap();
    const other = { ...apply({}), kind: "Secret" };
    const { object } = await scene.patch(`${path}?fieldManager=me`, other, "apply-patch+yaml");
    expect(object).toMatchObject({ code: 400, message: "invalid object type: /v1, Kind=Secret" });
  });
});
