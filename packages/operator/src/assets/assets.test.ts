import { type ConfigMap, type Deployment, hasErrorCode, type KubernetesObject, StowageError } from "@stowage/machinery";
import { describe, expect, it, test } from "vitest";
import { composeObject, parsePatch } from "./composition.ts";
import { renderObject, renderObjects, withPlaceholders } from "./hook-pipeline.ts";
import { formatManifests, parseManifests } from "./manifest-documents.ts";
import { replacePlaceholders } from "./placeholders.ts";

const asset = (text: string, name = "controller.yaml") => ({ name, text });
const failureOf = async (work: () => unknown): Promise<StowageError> => {
  try {
    await work();
  } catch (error) {
    if (error instanceof StowageError) return error;
    throw error;
  }
  throw new Error("it did not fail");
};

const configMap = (data: string) => asset(`apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n${data}`);

describe("placeholders", () => {
  test.each([
    ["are replaced wherever they stand", "a ${A} b${A}c", "a 1 b1c"],
    ["may have an empty value", "[${EMPTY}]", "[]"],
    ["without a value are left for later", "${A}${OTHER}", "1${OTHER}"],
    ["are not what a shell or Kubernetes calls a variable", "$A ${a} $(A) $${A}", "$A ${a} $(A) $1"],
    ["are not found in what every object inherits", "${A}${CONSTRUCTOR}", "1${CONSTRUCTOR}"],
    ["whose value has a dollar sign get that", "${DOLLAR}", "$&$1"],
  ])("%s", (_, text, expected) => {
    expect(replacePlaceholders(text, { A: "1", EMPTY: "", DOLLAR: "$&$1", UNSET: undefined })).toBe(expected);
  });

  it("that are left are a failure that names file, placeholder and line", async () => {
    const error = await failureOf(() =>
      renderObjects(configMap("  # ${IN_A_COMMENT}\n  x: ${DRIVER_IMAGE}\n"), { context: undefined }),
    );
    expect(error.code).toBe("ASSET_PLACEHOLDER_UNRESOLVED");
    expect(error.message).toBe("controller.yaml: ${DRIVER_IMAGE} has no value (line 6)");
    expect(error.nextStep).toBe("Set DRIVER_IMAGE in the operator's environment.");
  });

  it("that a hook brings in are a failure too", async () => {
    const hook = (object: ConfigMap) => ({ ...object, data: { y: "${LATE}" } });
    const error = await failureOf(() =>
      renderObjects(configMap("  x: a\n"), { objectHooks: [hook], context: undefined }),
    );
    expect(error.message).toBe("controller.yaml: ${LATE} has no value (data.y)");
  });
});

describe("manifests", () => {
  it("are read document by document, without empty ones, and lists are taken apart", () => {
    const list = "apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Secret, metadata: {name: s}}\n";
    const objects = parseManifests(asset(`---\n# nothing\n---\n${configMap("  x: y\n").text}---\n${list}---\n`));
    expect(objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual(["ConfigMap a", "Secret s"]);
  });

  test.each<[string, string, unknown]>([
    ["file modes are octal", "0644", 420],
    ["numbers stay numbers", "100", 100],
    ["times stay text", "2020-01-01", "2020-01-01"],
    ["what only looks like a time of day stays text", "12:30:45", "12:30:45"],
    ["08 is no octal number", "08", 8],
    ["yes is a word", "yes", "yes"],
  ])("%s", (_, written, expected) => {
    const [object] = parseManifests(configMap(`  x: ${written}\n`)) as unknown as { data: { x: unknown } }[];
    expect(object?.data.x).toBe(expected);
  });

  test.each([
    ["is not YAML", "a: [\n\nb", "ASSET_INVALID", /^controller\.yaml, line \d is not YAML: /],
    [
      "is not an object of Kubernetes",
      "a: 1",
      "ASSET_INVALID",
      /^document 1 of controller\.yaml is not an object of Kub/,
    ],
    ["is not even an object", "---\n- 1", "ASSET_INVALID", /^document 1 of controller\.yaml is not an object of Kub/],
    [
      "has no name",
      "apiVersion: v1\nkind: Secret",
      "ASSET_INVALID",
      /^document 1 of controller\.yaml \(Secret\) has no/,
    ],
  ])("one that %s is refused, by file and place", async (_, text, code, message) => {
    const error = await failureOf(() => parseManifests(asset(text)));
    expect(error.code).toBe(code);
    expect(error.message).toMatch(message);
  });

  it("does not quote what stands at a mistake: it may be a secret", async () => {
    const error = await failureOf(() => parseManifests(asset("token: [hunter2\nx: {")));
    expect(JSON.stringify([error.message, error.cause ?? ""])).not.toContain("hunter2");
  });

  it("come back as they were from their text", () => {
    const objects = parseManifests(configMap('  mode: "0644"\n  text: |\n    a\n    b: ${X}\n'));
    expect(parseManifests(asset(formatManifests([...objects, ...objects])))).toEqual([...objects, ...objects]);
  });
});

describe("hooks", () => {
  const text = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: '${NAME}'}\ndata: {}\n";

  it("run in order, on the text first and then on the object, and all know the context", async () => {
    const add = (key: string) => (object: ConfigMap, context: { value: string }) => ({
      ...object,
      data: { ...object.data, [key]: `${context.value}${Object.keys(object.data ?? {}).length}` },
    });
    const object = await renderObject<ConfigMap, { value: string }>(asset(text), {
      manifestHooks: [withPlaceholders({ NAME: "${INNER}" }), withPlaceholders(({ value }) => ({ INNER: value }))],
      objectHooks: [add("first"), async (object, context) => add("second")(object, context)],
      context: { value: "v" },
    });
    expect(object).toMatchObject({ metadata: { name: "v" }, data: { first: "v0", second: "v1" } });
  });

  test.each([
    ["on the text", { manifestHooks: [(same: string) => same, () => Promise.reject(new Error("no proxy yet"))] }],
    ["on the object", { objectHooks: [(same: ConfigMap) => same, () => Promise.reject(new Error("no proxy yet"))] }],
  ])("that fail %s stop everything, and are told by their index", async (_, hooks) => {
    const named = { manifestHooks: [withPlaceholders({ NAME: "x" })], ...hooks, context: undefined };
    const error = await failureOf(() => renderObject<ConfigMap, undefined>(asset(text), named));
    expect(hasErrorCode(error, "HOOK_FAILED")).toBe(true);
    expect(error.message).toBe("error running hook function (index=1): no proxy yet");
    expect(error.cause).toBeInstanceOf(Error);
  });

  it("want one object where one is asked for", async () => {
    const two = asset(`${configMap("  a: b\n").text}---\n${configMap("  a: b\n").text}`);
    const error = await failureOf(() => renderObject(two, { context: undefined }));
    expect(error.message).toBe("controller.yaml holds 2 objects, not one");
  });
});

describe("composition", () => {
  const [base] = parseManifests(
    asset(`apiVersion: apps/v1
kind: Deployment
metadata: {name: base}
spec:
  selector: {matchLabels: {app: x}}
  template:
    metadata: {labels: {app: x}}
    spec:
      containers: [{name: csi-driver, image: "\${DRIVER_IMAGE}", args: [-v=2]}]
`),
  ) as [Deployment];

  it("merges lists by their keys, then applies JSON patches, and leaves the base alone", () => {
    const before = structuredClone(base);
    const merge = parsePatch(
      asset(
        "spec: {template: {spec: {containers: [{name: csi-driver, env: [{name: A, value: b}]}, {name: extra}]}}}",
        "driver.yaml",
      ),
    );
    const json = parsePatch(
      asset("- {op: add, path: /spec/template/spec/containers/0/args/-, value: --x}", "flavour.patch"),
    );
    const composed = composeObject(base, [merge, json]);
    expect(composed.spec?.template.spec?.containers).toEqual([
      { name: "csi-driver", image: "${DRIVER_IMAGE}", args: ["-v=2", "--x"], env: [{ name: "A", value: "b" }] },
      { name: "extra" },
    ]);
    expect(base).toEqual(before);
  });

  it("merges kinds of CRDs by merge patch", () => {
    const monitor = {
      apiVersion: "monitoring.coreos.com/v1",
      kind: "ServiceMonitor",
      metadata: { name: "m" },
      spec: { a: [1], b: 2 },
    };
    const composed = composeObject<KubernetesObject>(monitor, [
      { name: "p", type: "merge", patch: { spec: { a: [2], b: null } } },
    ]);
    expect(composed).toMatchObject({ spec: { a: [2] } });
  });

  test.each([
    [
      "a JSON patch that does not fit",
      asset("- {op: remove, path: /spec/nothing}", "x.patch"),
      /^x\.patch on Deployment base: /,
    ],
    [
      "a JSON patch that is no list",
      asset("a: b", "x.patch"),
      /^x\.patch is not a patch: it must hold one list of operations$/,
    ],
    ["a merge patch that is no object", asset("- a", "x.yaml"), /^x\.yaml is not a patch: it must hold one object$/],
    [
      "two patches in one file",
      asset("a: b\n---\nc: d", "x.yaml"),
      /^x\.yaml is not a patch: it must hold one object$/,
    ],
  ])("refuses %s by name", async (_, patch, message) => {
    const error = await failureOf(() => composeObject(base, [parsePatch(patch)]));
    expect(error.message).toMatch(message);
  });
});
