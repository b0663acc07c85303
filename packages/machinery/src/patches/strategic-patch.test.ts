import { describe, expect, it } from "vitest";
import type { Deployment, KubernetesObject, Pod, Service } from "../api/index.ts";
import { hasErrorCode } from "../errors/stowage-error.ts";
import { applyStrategicMergePatch, mergeAsServer } from "./index.ts";
import { frozen } from "./patch-arbitraries.ts";

type PodSpec = NonNullable<Pod["spec"]>;

function pod(spec: Partial<PodSpec>): Pod {
  const containers = [{ name: "a", image: "a:1" }];
  return frozen({ apiVersion: "v1", kind: "Pod", metadata: { name: "p" }, spec: { containers, ...spec } });
}

function service(ports: object[]): Service {
  return frozen({ apiVersion: "v1", kind: "Service", metadata: {}, spec: { ports } } as unknown as Service);
}

function withFinalizers(...finalizers: string[]): Pod {
  return frozen({ apiVersion: "v1", kind: "Pod", metadata: { finalizers } });
}

function patchSpec(object: KubernetesObject, spec: object): unknown {
  return (applyStrategicMergePatch(object, frozen({ spec })) as Pod).spec;
}

function patchFinalizers(object: KubernetesObject, metadata: object): string[] | undefined {
  return applyStrategicMergePatch(object, frozen({ metadata })).metadata.finalizers;
}

describe("a strategic merge patch of a list with a merge key", () => {
  const two = [
    { name: "a", image: "a:1", args: ["x"] },
    { name: "b", image: "b:1" },
  ];

  it.each<[string, object[], object[]]>([
    [
      "changes the item of the same key",
      [{ name: "b", image: "b:2" }],
      [two[0] as object, { name: "b", image: "b:2" }],
    ],
    ["puts a new item first", [{ name: "c" }], [{ name: "c" }, ...two]],
    ["puts a new item before those that it is named before", [{ name: "c" }, { name: "b" }], [{ name: "c" }, ...two]],
    ["follows the order of the patch", [{ name: "b" }, { name: "a" }], [two[1] as object, two[0] as object]],
    ["deletes an item", [{ name: "a", $patch: "delete" }], [two[1] as object]],
    ["deletes what is not there", [{ name: "z", $patch: "delete" }], two],
    ["replaces the list", [{ $patch: "replace" }, { name: "c" }], [{ name: "c" }]],
    ["empties the list", [{ $patch: "replace" }], []],
    [
      "merges a new item with itself when named twice",
      [
        { name: "c", image: "c:1" },
        { name: "c", tty: true },
      ],
      [{ name: "c", image: "c:1", tty: true }, ...two],
    ],
    [
      "replaces lists inside without a merge key",
      [{ name: "a", args: ["y"] }],
      [{ ...two[0], args: ["y"] }, two[1] as object],
    ],
    [
      "removes a field of an item by null",
      [{ name: "a", args: null }],
      [{ name: "a", image: "a:1" }, two[1] as object],
    ],
    ["drops nulls from a new item", [{ name: "c", args: null }], [{ name: "c" }, ...two]],
  ])("%s", (_, containers, expected) => {
    expect(patchSpec(pod({ containers: two }), { containers })).toEqual({ containers: expected });
  });

  it("changes the first of the items that share a key", () => {
    const ports = [
      { port: 53, protocol: "UDP" },
      { port: 53, protocol: "TCP" },
    ];
    expect(patchSpec(service(ports), { ports: [{ port: 53, name: "dns" }] })).toEqual({
      ports: [{ port: 53, protocol: "UDP", name: "dns" }, ports[1]],
    });
  });

  it("brings items of one key together when the list is replaced", () => {
    const ports = [{ $patch: "replace" }, { port: 53, name: "a" }, { port: 80 }, { port: 53, name: "b" }];
    expect(patchSpec(service([]), { ports })).toEqual({
      ports: [{ port: 53, name: "a" }, { port: 53, name: "b" }, { port: 80 }],
    });
  });

  it("gives a new item the place that a deletion freed at the end, when an order is asked for", () => {
    const containers = ["a", "b", "c"].map((name) => ({ name }));
    const changes = [{ name: "n" }, { name: "a", $patch: "delete" }];
    const ordered = { "$setElementOrder/containers": [{ name: "n" }], containers: changes };
    const names = (spec: unknown) => (spec as PodSpec).containers.map(({ name }) => name);
    expect(names(patchSpec(pod({ containers }), ordered))).toEqual(["b", "c", "n"]);
    expect(names(patchSpec(pod({ containers }), { containers: changes }))).toEqual(["n", "b", "c"]);
  });

  it("orders as $setElementOrder says, and leaves what it does not name where it was", () => {
    const containers = ["a", "b", "c", "d"].map((name) => ({ name }));
    const order = ["d", "e", "b"].map((name) => ({ name }));
    const spec = { "$setElementOrder/containers": order, containers: [{ name: "e" }] };
    expect(patchSpec(pod({ containers }), spec)).toEqual({
      containers: ["a", "c", "d", "e", "b"].map((name) => ({ name })),
    });
  });

  it("orders without changing anything else", () => {
    const order = [{ name: "b" }, { name: "a" }];
    expect(patchSpec(pod({ containers: two }), { "$setElementOrder/containers": order })).toEqual({
      containers: two.toReversed(),
    });
  });

  it.each<[string, object]>([
    ["an item without its key", { containers: [{ image: "a" }] }],
    ["a deletion without its key", { containers: [{ $patch: "delete" }] }],
    ["a directive for items that does not exist", { containers: [{ name: "a", $patch: "merge" }] }],
    ["items that are no objects", { containers: ["a"] }],
    [
      "an order that its list does not follow",
      { "$setElementOrder/containers": [{ name: "b" }], containers: [{ name: "a" }] },
    ],
    ["an order of what is no list", { "$setElementOrder/hostNetwork": [], hostNetwork: true }],
    [
      "an order of objects that have no key",
      { "$setElementOrder/tolerations": [{ key: "a" }], tolerations: [{ key: "a" }] },
    ],
  ])("refuses %s", (_, spec) => {
    const apply = () => patchSpec(pod({}), spec);
    expect(apply).toThrow(expect.toSatisfy((error) => hasErrorCode(error, "INVALID_PATCH")));
  });

  it("says where it went wrong", () => {
    expect(() => patchSpec(pod({}), { containers: [{ image: "a" }] })).toThrow(
      "The list spec.containers cannot be merged: an item has no name to tell it from the others",
    );
  });
});

describe("a strategic merge patch of a list of plain values", () => {
  it.each<[string, object, string[] | undefined]>([
    ["adds what is missing", { finalizers: ["c", "a"] }, ["c", "a", "b"]],
    ["deletes by $deleteFromPrimitiveList", { "$deleteFromPrimitiveList/finalizers": ["a", "z"] }, ["b"]],
    ["adds and deletes at once", { finalizers: ["c"], "$deleteFromPrimitiveList/finalizers": ["a"] }, ["c", "b"]],
    ["orders by $setElementOrder", { "$setElementOrder/finalizers": ["b", "a"] }, ["b", "a"]],
    ["removes the list by null", { finalizers: null }, undefined],
  ])("%s", (_, metadata, expected) => {
    expect(patchFinalizers(withFinalizers("a", "b"), metadata)).toEqual(expected);
  });

  it("ignores deletions from a list that is not there", () => {
    expect(patchSpec(pod({}), { "$deleteFromPrimitiveList/args": ["a"] })).toEqual(pod({}).spec);
  });
});

describe("a strategic merge patch of an object", () => {
  const rolling = frozen({
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { labels: { a: "1", b: "2" } },
    spec: { strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1 } } },
  } as unknown as Deployment);

  it.each<[string, object, object]>([
    ["merges maps", { c: "3", a: null }, { b: "2", c: "3" }],
    ["replaces a map", { $patch: "replace", c: "3" }, { c: "3" }],
    ["empties a map", { $patch: "delete" }, {}],
    ["keeps only what $retainKeys names", { $retainKeys: ["b", "c"], c: "3" }, { b: "2", c: "3" }],
  ])("%s", (_, labels, expected) => {
    expect(applyStrategicMergePatch(rolling, { metadata: { labels } }).metadata.labels).toEqual(expected);
  });

  it("makes room for another way of saying a thing by $retainKeys", () => {
    const strategy = { $retainKeys: ["type"], type: "Recreate" };
    expect(patchSpec(rolling, { strategy })).toEqual({ strategy: { type: "Recreate" } });
  });

  it("drops what is an instruction about something that is not there", () => {
    const spec = {
      affinity: { $patch: "delete" },
      dnsConfig: { options: [{ $patch: "replace" }, { name: "a", value: null }] },
    };
    expect(patchSpec(pod({}), spec)).toEqual({ ...pod({}).spec, dnsConfig: { options: [{ name: "a" }] } });
  });

  it("replaces the object when the schema says so", () => {
    const spec = { selector: { matchLabels: { a: "1" } } };
    const budget = { apiVersion: "policy/v1", kind: "PodDisruptionBudget", metadata: {}, spec };
    const selector = { matchExpressions: [] };
    expect(patchSpec(budget, { selector })).toEqual({ selector });
  });

  it("takes __proto__ for a field like any other and pollutes nothing", () => {
    const patch = JSON.parse('{"metadata": {"labels": {"__proto__": "x"}}, "__proto__": {"polluted": true}}') as object;
    const patched = applyStrategicMergePatch(rolling, patch);
    expect(JSON.stringify(patched.metadata)).toBe('{"labels":{"a":"1","b":"2","__proto__":"x"}}');
    expect(patched).not.toHaveProperty("polluted", true);
    expect({}).not.toHaveProperty("polluted");
  });

  it.each<[string, object]>([
    ["$retainKeys that is no list", { $retainKeys: "type" }],
    ["a field that $retainKeys leaves out", { $retainKeys: ["type"], rollingUpdate: {} }],
    ["$setElementOrder without a list", { $setElementOrder: [] }],
    ["$setElementOrder that is no list", { "$setElementOrder/a": {} }],
    ["$deleteFromPrimitiveList without a list", { $deleteFromPrimitiveList: [] }],
  ])("refuses %s", (_, strategy) => {
    const apply = () => patchSpec(rolling, { strategy });
    expect(apply).toThrow(expect.toSatisfy((error) => hasErrorCode(error, "MALFORMED_PATCH")));
  });

  it("refuses $patch: merge, as the server does", () => {
    expect(() => patchSpec(rolling, { strategy: { $patch: "merge" } })).toThrow(
      '$patch of spec.strategy is "merge"; of an object it is delete or replace',
    );
  });

  it.each([null, [], "patch"])("refuses %j, which is no patch", (patch) => {
    const apply = () => applyStrategicMergePatch(rolling, patch as object);
    expect(apply).toThrow(expect.toSatisfy((error) => hasErrorCode(error, "MALFORMED_PATCH")));
  });

  it.each(["example.com/v1/Widget", "v1/constructor", "v1/PodList"])("does not work on %s", (kind) => {
    const [name, ...apiVersion] = kind.split("/").toReversed();
    const object = { apiVersion: apiVersion.toReversed().join("/"), kind: name as string, metadata: {} };
    const apply = () => applyStrategicMergePatch(object, {});
    expect(apply).toThrow(expect.toSatisfy((error) => hasErrorCode(error, "STRATEGIC_MERGE_UNSUPPORTED")));
  });
});

describe("a strategic merge patch on which the API server fails", () => {
  it.each<[object, string]>([
    [{ finalizers: [1] }, "list element types are not identical: [[a] [1]]"],
    [{ finalizers: [["b"]] }, "list element types are not identical: [[a] [[b]]]"],
    [{ "$setElementOrder/finalizers": "a" }, "expected a []interface {}, but received a string"],
    [{ "$setElementOrder/finalizers": { a: 1 } }, "expected a []interface {}, but received a map[string]interface {}"],
    [{ "$setElementOrder/finalizers": 1 }, "expected a []interface {}, but received a int64"],
  ])("says of %j what it says", (metadata, serverText) => {
    const patch = () => patchFinalizers(withFinalizers("a"), metadata);
    expect(patch).toThrow(expect.objectContaining({ serverText, isFailure: true }));
  });

  it("is told from one that it refuses", () => {
    const patch = () => applyStrategicMergePatch(withFinalizers("a"), frozen({ metadata: { $retainKeys: "a" } }));
    expect(patch).toThrow(
      expect.objectContaining({ serverText: "invalid patch format of retainKeys", isFailure: false }),
    );
  });
});

describe("a strategic merge patch with directives where nothing is merged", () => {
  const added = { name: "b", image: "b:1", resources: { $retainKeys: ["limits"] } };

  it("adds what it adds without them", () => {
    expect(patchSpec(pod({}), { containers: [added] })).toMatchObject({
      containers: [
        { name: "b", image: "b:1", resources: {} },
        { name: "a", image: "a:1" },
      ],
    });
    expect(JSON.stringify(patchSpec(pod({}), { containers: [added] }))).not.toContain("$");
  });

  it("leaves them in what the server merges, which it then does not know", () => {
    expect(mergeAsServer(pod({}), { spec: { containers: [added] } })).toMatchObject({
      spec: { containers: [added, { name: "a" }] },
    });
  });
});
