import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { realApi } from "./real-api.ts";
import type { Stored } from "./server-side-apply/agreement.ts";
import {
  type Case,
  configMapCases,
  deploymentCases,
  parcelCases,
  podCases,
  serviceCases,
} from "./server-side-apply/hand-written.ts";
import type { Json } from "./server-side-apply/json-parts.ts";
import {
  atomicDefinition,
  atomicParcels,
  configMaps,
  customDefinition,
  deployments,
  parcels,
  parcelsV2,
  pods,
  podTemplates,
  sampleKind,
  services,
  type TestKind,
} from "./server-side-apply/kinds.ts";
import { samples } from "./server-side-apply/object-samples.ts";
import {
  configMapShape,
  type Drawn,
  deploymentShape,
  parcelShape,
  podTemplateShape,
  sequenceOf,
  serviceShape,
} from "./server-side-apply/sequences.ts";
import { type Step, WrittenObject } from "./server-side-apply/written-object.ts";

const namespace = `apply-${process.pid}-${Date.now().toString(36)}`;
const api = realApi();
let count = 0;

beforeAll(async () => {
  const created = await api.request("POST", "/api/v1/namespaces", {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name: namespace },
  });
  expect(created.status).toBe(201);
  await api.request("POST", definitions, customDefinition);
  const isServed = async () => (await api.request("GET", parcels.collection.replace("{ns}/", ""))).status === 200;
  // Until the server knows the resource it answers in plain text, which fails to parse.
  await vi.waitUntil(() => isServed().catch(() => false), 30_000);
});

const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

afterAll(async () => {
  await api.request("DELETE", `${definitions}/${customDefinition.metadata.name}`);
  await api.request("DELETE", `/api/v1/namespaces/${namespace}`);
});

/** A new object, or another view of one. */
function written(kind: TestKind, same?: WrittenObject): WrittenObject {
  const collection = kind.collection.replace("{ns}", `namespaces/${namespace}`);
  return new WrittenObject({
    ...kind,
    api,
    collection,
    name: same?.name ?? kind.nameOf?.() ?? `${namespace}-${count++}`,
  });
}

describe.each<[string, TestKind, readonly Case[]]>([
  ["a Deployment", deployments, deploymentCases],
  ["a Service", services, serviceCases],
  ["a ConfigMap", configMaps, configMapCases],
  ["a Pod", pods, podCases],
  ["an object of a CRD", parcels, parcelCases],
])("writes to %s end as on the server", (_name, kind, cases) => {
  it.concurrent.each(cases)("$title", async ({ steps }) => {
    const object = written(kind);
    for (const { expected = {}, ...step } of steps) {
      const outcome = await object.write(step);
      expect({ step, outcome }).toMatchObject({ outcome: expected });
    }
    await object.remove();
  });
});

describe("every built-in kind", () => {
  it.concurrent.each(samples)("$apiVersion $kind is counted as on the server", async (sample) => {
    const body = JSON.parse(JSON.stringify(sample.body).replaceAll("{namespace}", namespace)) as Json;
    const metadataOf = (name: string) => ({ labels: { [name]: "1" }, annotations: { [name]: "1" } });
    const object = written(sampleKind(sample));
    const steps: Step[] = [
      { create: body, by: "ann" },
      { apply: { metadata: metadataOf("a") }, by: "bob" },
      ...statusSteps(sample.status, metadataOf),
      { apply: body, by: "bob", force: true },
    ];
    const statuses: number[] = [];
    for (const step of steps) statuses.push((await object.write(step)).status);
    expect(statuses).toEqual([201, ...steps.slice(1).map(() => 200)]);
    await object.remove();
  });
});

function statusSteps(status: Json | undefined, metadataOf: (name: string) => Json): Step[] {
  if (status === undefined) return [];
  return [
    { patch: { status, metadata: metadataOf("b") }, by: "carl", through: "status" },
    { apply: { status, metadata: metadataOf("c") }, by: "dora", force: true, through: "status" },
  ];
}

describe("several versions", () => {
  it("have one applier, and updaters of their own", async () => {
    const old = written(parcels);
    const next = written(parcelsV2, old);
    const switchTo = async (view: WrittenObject, step: Step) => {
      await view.read();
      return view.write(step);
    };
    await switchTo(old, { apply: { spec: { count: 1, tags: ["a"] } }, by: "ann" });
    await switchTo(next, { patch: { spec: { labels: { a: "1" } } }, by: "bob" });
    await switchTo(old, { patch: { spec: { labels: { b: "1" } } }, by: "bob" });
    expect(await switchTo(next, { apply: { spec: { labels: { b: "2" } } }, by: "carl" })).toMatchObject({
      status: 409,
    });
    await switchTo(next, { apply: { spec: { count: 2 } }, by: "ann" });
    await switchTo(old, { apply: { spec: { labels: { a: "3", b: "3" } } }, by: "carl", force: true });
    await switchTo(next, { update: (live) => ({ ...live, spec: { count: 5 } }), by: "dora" });
    await switchTo(old, { apply: { spec: {} }, by: "carl" });
    await old.remove();
  });
});

describe("a schema that changes", () => {
  const merge = { "content-type": "application/merge-patch+json" };
  const setVersions = ({ metadata, spec }: typeof customDefinition) =>
    api.request("PATCH", `${definitions}/${metadata.name}`, { spec: { versions: spec.versions } }, merge);

  afterAll(async () => {
    await setVersions(customDefinition);
  });

  it("makes the owners of what is in a map the owners of the map", async () => {
    const object = written(parcels);
    await object.write({ apply: { spec: { nested: { a: { a: "1" } }, tags: ["a", "b"] } }, by: "ann" });
    await object.write({ apply: { spec: { nested: { b: { b: "1" } }, tags: ["b"] } }, by: "bob" });
    await object.write({ patch: { spec: { nested: { c: { a: "1" } } } }, by: "carl" });
    await setVersions(atomicDefinition);
    // The server takes a while to go by the new schema.
    await vi.waitUntil(ownsWholeMaps, 30_000);
    const later = written(atomicParcels, object);
    await later.read();
    await later.write({ apply: { spec: { tags: ["c"] } }, by: "dora" });
    await later.write({ apply: { spec: { nested: { b: { b: "1" } }, tags: ["b"] } }, by: "bob" });
    expect(await later.write({ apply: { spec: { nested: { z: {} } } }, by: "emil" })).toMatchObject({ status: 409 });
    await later.write({ apply: { spec: {} }, by: "ann" });
    await later.remove();
  });

  /** Tries to apply an object that is not there, and looks at what would be owned. */
  async function ownsWholeMaps(): Promise<boolean> {
    const { apiVersion, kind } = parcels.kindOf("");
    const body = { apiVersion, kind, metadata: { name: "probe" }, spec: { nested: { p: { a: "1" } } } };
    const path = `${parcels.collection.replace("{ns}", `namespaces/${namespace}`)}/probe?dryRun=All&fieldManager=p`;
    const headers = { "content-type": "application/apply-patch+yaml" };
    const { json } = await api.request<Stored>("PATCH", path, body, headers);
    return JSON.stringify(json.metadata.managedFields ?? []).includes('"f:nested":{}');
  }
});

const seeds = [1, 2, 3, 4, 5, 6];

describe("random writes by several managers end as on the server", () => {
  const drawn: [string, TestKind, Drawn, number][] = [
    ["ConfigMaps", configMaps, configMapShape, 10],
    ["Pod templates", podTemplates, podTemplateShape, 11],
    ["Deployments", deployments, deploymentShape, 7],
    ["Services", services, serviceShape, 9],
    ["objects of a CRD", parcels, parcelShape, 15],
  ];

  it.each(drawn)("for %s", async (_name, kind, shape, perSeed) => {
    const sequences = seeds.flatMap((seed) => fc.sample(sequenceOf(shape), { numRuns: perSeed, seed }));
    const outcomes = new Map<number, number>();
    const queue = sequences.values();
    // Several at a time: most of each is waiting for the server.
    await Promise.all(Array.from({ length: 6 }, () => runAll(kind, queue, outcomes)));
    // Enough of them do something, and enough meet, for the agreement to mean something.
    expect(outcomes.get(200)).toBeGreaterThan(70);
    expect(outcomes.get(201)).toBeGreaterThan(30);
    expect(outcomes.get(409)).toBeGreaterThan(25);
  });
});

async function runAll(kind: TestKind, queue: Iterable<Step[]>, outcomes: Map<number, number>): Promise<void> {
  for (const steps of queue) {
    const object = written(kind);
    for (const step of steps) {
      const isNew = "create" in step || ("apply" in step && step.through === undefined);
      if (object.live === undefined && !isNew) continue;
      const { status } = await object.write(step);
      outcomes.set(status, (outcomes.get(status) ?? 0) + 1);
    }
    await object.remove();
  }
}
