import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import { defaultProfile, readPayload } from "./payload-reader.ts";
import { createPayloadSource } from "./payload-source.ts";

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "payload-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

function write(
  manifests: Readonly<Record<string, string>>,
  metadata: string = JSON.stringify({ version: "1.2.3" }),
): void {
  rmSync(join(directory, "manifests"), { recursive: true, force: true });
  mkdirSync(join(directory, "manifests"));
  for (const [name, text] of Object.entries(manifests)) writeFileSync(join(directory, "manifests", name), text);
  writeFileSync(join(directory, "release-metadata"), metadata);
}

const place = () => ({ directory, image: "registry.test/release", profile: defaultProfile });
const read = () => readPayload(place());

const config = (name: string, annotations = "") =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, namespace: x, annotations: {${annotations}}}\n`;

describe("a payload", () => {
  it("is read in the order of its files, with what its metadata say", async () => {
    const facts = { url: "https://docs.test", "io.openshift.upgrades.graph.release.channels": "stable,fast" };
    const metadata = { kind: "cincinnati-metadata-v0", version: "1.2.3", previous: ["1.2.2"], metadata: facts };
    write(
      { "b.yaml": `${config("b")}---\n${config("c")}`, "a.yml": config("a"), "notes.txt": "{" },
      JSON.stringify(metadata),
    );
    const payload = await read();
    expect(payload.manifests.map(({ file, object }) => [file, object.metadata.name])).toEqual([
      ["a.yml", "a"],
      ["b.yaml", "b"],
      ["b.yaml", "c"],
    ]);
    expect(payload.previous).toEqual(["1.2.2"]);
    expect(payload.release).toEqual({
      version: "1.2.3",
      image: "registry.test/release",
      url: "https://docs.test",
      channels: ["fast", "stable"],
    });
  });

  it("has another hash when something in it is another", async () => {
    write({ "a.yaml": config("a") });
    const { hash } = await read();
    expect((await read()).hash).toBe(hash);
    write({ "a.yaml": config("b") });
    expect((await read()).hash).not.toBe(hash);
  });

  it("leaves out what is for other profiles, and has what names none", async () => {
    write({
      "a.yaml": config("all"),
      "b.yaml": config("ours", `include.release.openshift.io/${defaultProfile}: "true"`),
      "c.yaml": config("theirs", 'include.release.openshift.io/single-node-developer: "true"'),
      "d.yaml": config("capability", "capability.openshift.io/name: Storage"),
    });
    const { manifests } = await read();
    expect(manifests.map(({ object }) => object.metadata.name)).toEqual(["all", "ours", "capability"]);
  });

  it("is refused as a whole, with every file that is wrong", async () => {
    write({ "a.yaml": config("a"), "b.yaml": "kind: [", "c.yaml": "kind: ConfigMap\n" });
    await expect(read()).rejects.toThrow(
      /^payload 1\.2\.3 cannot be used: b\.yaml, line 1 is not YAML: .*; document 1 of c\.yaml is not an object/su,
    );
  });

  const operator = "apiVersion: config.openshift.io/v1\nkind: ClusterOperator\nmetadata: {name: storage}\nspec: {}\n";
  test.each<[string, Record<string, string>, RegExp]>([
    ["has a placeholder", { "a.yaml": config("${NAME}") }, /a\.yaml: \$\{NAME\} has no value \(line 3\)/u],
    [
      "has an object twice",
      { "a.yaml": config("x"), "b.yaml": config("x") },
      /configmap "x\/x" is in a\.yaml and b\.yaml/u,
    ],
    [
      "has an annotation that is neither here nor there",
      { "a.yaml": config("x", 'release.openshift.io/delete: "yes"') },
      /a\.yaml: configmap "x\/x": release\.openshift\.io\/delete is "yes" and can only be "true"/u,
    ],
    [
      "waits for an operator without versions",
      { "a.yaml": operator },
      /a\.yaml: clusteroperator "storage" has no status\.versions/u,
    ],
    ["is empty", {}, /manifests\/ has no files/u],
  ])("is refused when it %s", async (_what, manifests, message) => {
    write(manifests);
    await expect(read()).rejects.toThrow(message);
  });

  test.each([
    ["", /release-metadata cannot be used: it is not JSON/u],
    ["[]", /it is not a JSON object/u],
    [JSON.stringify({ version: "new" }), /its version is not a semantic version/u],
    [JSON.stringify({ version: "1.0.0", previous: [1] }), /its previous is not a list/u],
    [JSON.stringify({ version: "1.0.0", kind: "other" }), /its kind is not cincinnati-metadata-v0/u],
  ])("is refused with the metadata %j", async (metadata, message) => {
    write({ "a.yaml": config("a") }, metadata);
    await expect(read()).rejects.toThrow(message);
  });

  it("is refused when there is none", async () => {
    await expect(read()).rejects.toThrow(/the payload cannot be read: release-metadata in .*: ENOENT/u);
  });
});

describe("the folder of a payload", () => {
  it("has news when its metadata change, and not before", async () => {
    const source = createPayloadSource(place());
    write({ "a.yaml": config("a") });
    expect([await source.refresh(), await source.refresh()]).toEqual([true, false]);
    writeFileSync(join(directory, "manifests", "b.yaml"), config("b"));
    expect(await source.refresh()).toBe(false);
    writeFileSync(join(directory, "release-metadata"), JSON.stringify({ version: "1.2.4" }));
    expect(await source.refresh()).toBe(true);
    expect(source.reading()).toMatchObject({ payload: { release: { version: "1.2.4" } } });
  });

  it("is read again while it cannot be used, and has news when another thing is wrong", async () => {
    const source = createPayloadSource(place());
    expect([await source.refresh(), await source.refresh()]).toEqual([true, false]);
    write({ "a.yaml": "kind: [" });
    expect([await source.refresh(), await source.refresh()]).toEqual([true, false]);
    expect(source.reading()).toHaveProperty("error");
    writeFileSync(join(directory, "manifests", "a.yaml"), config("a"));
    expect(await source.refresh()).toBe(true);
    expect(source.reading()).toHaveProperty("payload");
  });
});
