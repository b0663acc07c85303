import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { type Lab, startTemporaryLab } from "@stowage/lab";
import type { CustomResourceDefinition } from "@stowage/machinery";
import { platformCrds, storageOperatorCrds } from "@stowage/machinery/openshift-crds";
import { load } from "js-yaml";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { completeObjects } from "../../packages/machinery/src/openshift-api/crds/fixtures/complete-objects.ts";
import { type RealApi, realApi } from "./real-api.ts";
import { definitionCases } from "./structural-schemas/definition-cases.ts";
import { definitionOf, packedSchema } from "./structural-schemas/definitions.ts";
import { generatedCases } from "./structural-schemas/generated-cases.ts";
import { formatCases, keywordCases, type SchemaCase } from "./structural-schemas/keyword-cases.ts";
import { messageCases, ruleCases, scalarRuleCases } from "./structural-schemas/rule-cases.ts";
import { changes, looseSchema, storedSpec, strictSchema } from "./structural-schemas/update-cases.ts";
import { compareDefinition, Judge } from "./structural-schemas/verdicts.ts";

const definitionsPath = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const snapshotCrds = fileURLToPath(new URL("../../packages/sidecars/crds", import.meta.url));

let lab: Lab;
let api: RealApi;
let compared = 0;

// A server of its own: other suites have definitions and objects of the same names.
beforeAll(async () => {
  lab = await startTemporaryLab({});
  api = realApi(lab.kubeconfigPath);
}, 600_000);

afterAll(async () => {
  await lab?.stop();
  console.log(`structural schemas: ${compared} objects compared with the real API server`);
});

/** Several at once: the server has more than one core, and waiting for it is most of the time. */
async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const rest = [...items];
  const worker = async () => {
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: 6 }, worker));
}

/** Makes the definition and waits until the server takes objects of it. */
async function install(definition: CustomResourceDefinition): Promise<CustomResourceDefinition> {
  const answer = await api.request<{ message?: string }>("POST", definitionsPath, definition);
  expect(answer.status, JSON.stringify(answer.json.message)).toBe(201);
  const { group, names, versions } = definition.spec;
  const path = `/apis/${group}/${versions[0]?.name}/${names.plural}`;
  await expect.poll(async () => (await api.request("GET", path)).status, { timeout: 30_000, interval: 50 }).toBe(200);
  return definition;
}

function schemasOf(cases: Readonly<Record<string, SchemaCase>>) {
  return Object.fromEntries(Object.entries(cases).map(([name, { schema }]) => [name, schema]));
}

async function compareAll(plural: string, cases: Readonly<Record<string, SchemaCase>>): Promise<Judge> {
  const definition = await install(definitionOf({ plural, schema: packedSchema(schemasOf(cases)) }));
  const judge = new Judge(api, definition);
  const objects = Object.entries(cases).flatMap(([name, { values }]) => values.map((value) => ({ name, value })));
  await inParallel(objects, ({ name, value }) =>
    judge.compareCreate({ spec: { [name]: value } }, `${name}: ${JSON.stringify(value)}`),
  );
  compared += judge.compared;
  return judge;
}

describe("a custom resource", () => {
  it("is pruned, defaulted and refused as the real API server does it, for every keyword", async () => {
    const judge = await compareAll("keywords", keywordCases);
    expect(judge.compared).toBeGreaterThan(200);
    expect(judge.refused).toBeGreaterThan(80);
  });

  it("has the formats that the real API server enforces", async () => {
    await compareAll("formats", formatCases);
  });

  it("is judged by its rules as by the real API server", async () => {
    const rules = Object.entries(ruleCases);
    for (let from = 0; from < rules.length; from += 60)
      await compareAll(`rule${from}s`, Object.fromEntries(rules.slice(from, from + 60)));
  });

  it("is refused with the messages of its rules", async () => {
    await compareAll("messages", messageCases);
    await compareAll("scalars", scalarRuleCases);
  });

  it("is treated alike for schemas and values that nobody thought of", async () => {
    const judge = await compareAll("generateds", generatedCases(70, 9));
    expect(judge.compared).toBe(630);
    expect(judge.refused).toBeGreaterThan(150);
    expect(judge.compared - judge.refused).toBeGreaterThan(100);
  });

  it("may keep what was wrong before, and is held to rules about changes", async () => {
    const definition = await install(definitionOf({ plural: "updates", schema: looseSchema }));
    const path = "/apis/structural.example.com/v1/updates";
    const { json: stored } = await api.request<Record<string, unknown>>(
      "POST",
      path,
      new Judge(api, definition).object({ spec: storedSpec }),
    );
    const { json: current } = await api.request<CustomResourceDefinition>(
      "GET",
      `${definitionsPath}/${definition.metadata?.name}`,
    );
    const strict = definitionOf({ plural: "updates", schema: strictSchema });
    const changed = { ...current, spec: { ...current.spec, versions: strict.spec.versions } };
    const answer = await api.request<{ message?: string }>(
      "PUT",
      `${definitionsPath}/${definition.metadata?.name}`,
      changed,
    );
    expect(answer.status, answer.json.message).toBe(200);
    const judge = new Judge(api, strict);
    const isStrict = async () =>
      (
        await api.request("POST", `${path}?dryRun=All`, {
          ...judge.object({ spec: { count: 1 } }),
          metadata: { name: "probe" },
        })
      ).status;
    await expect.poll(isStrict, { timeout: 30_000, interval: 50 }).toBe(422);
    await inParallel(
      changes.map((change, index) => ({ spec: change(storedSpec), index })),
      ({ spec, index }) => judge.compareUpdate(stored, { spec }, `change ${index}`),
    );
    await judge.compareCreate({ metadata: { name: "new" }, spec: { count: 20 } }, "a new one");
    compared += judge.compared;
  });
});

describe("a definition", () => {
  it("is defaulted or refused as the real API server does it", async () => {
    await inParallel(Object.entries(definitionCases), ([what, definition]) => compareDefinition(api, definition, what));
  });

  it("of ours is accepted, and takes the objects that use all of it", async () => {
    const files = await readdir(snapshotCrds);
    const snapshots = await Promise.all(
      files.map(async (file) => load(await readFile(`${snapshotCrds}/${file}`, "utf8")) as CustomResourceDefinition),
    );
    const ours = [...storageOperatorCrds, ...platformCrds, ...snapshots];
    await inParallel(ours, (definition) => compareDefinition(api, definition, definition.metadata?.name ?? ""));
    await inParallel(completeObjects, async (object) => {
      const definition = [...storageOperatorCrds, ...platformCrds].find(({ spec }) => spec.names.kind === object.kind);
      if (definition === undefined) throw new Error(`no definition of ${object.kind}`);
      await install(definition);
      const judge = new Judge(api, definition);
      const named = { ...object, ...whereAndWho(definition) };
      await judge.compareCreate(named, object.kind);
      await judge.compareCreate({ ...named, spec: { unknown: 1 } }, `${object.kind} without its spec`);
      compared += judge.compared;
    });
  });
});

/** Names that the rules of singletons ask for. */
function whereAndWho({ spec }: CustomResourceDefinition): { metadata: Record<string, string> } {
  const name = spec.names.kind === "ClusterCSIDriver" ? "ebs.csi.aws.com" : "cluster";
  return { metadata: { name, ...(spec.scope === "Namespaced" && { namespace: "default" }) } };
}
