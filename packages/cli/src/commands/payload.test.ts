import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Deployment, silentLogger } from "@stowage/machinery";
import { defaultProfile, readPayload } from "@stowage/operators/version";
import { afterAll, expect, it } from "vitest";
import { runProgram } from "../program.ts";
import { commands } from "./index.ts";

const folder = mkdtempSync(join(tmpdir(), "payload-"));
afterAll(() => rmSync(folder, { recursive: true }));

async function write(...given: string[]): Promise<{ code: number; err: string }> {
  let err = "";
  const terminal = { out() {}, err: (text: string) => void (err += text) };
  const signal = new AbortController().signal;
  const context = { terminal, logger: silentLogger, setLogLevel() {}, env: {}, homeDir: "/", signal };
  const code = await runProgram({ commands, terminal, contextFor: () => context }, ["payload", folder, ...given]);
  return { code, err };
}

async function written() {
  const { manifests } = await readPayload({ directory: folder, image: "", profile: defaultProfile });
  const objects = manifests.map(({ object }) => object);
  const deployment = objects.find(({ kind }) => kind === "Deployment") as Deployment;
  const containers = deployment.spec?.template.spec?.containers ?? [];
  const variables = new Map(containers[0]?.env?.map(({ name, value }) => [name, value]));
  return { kinds: new Set(objects.map(({ kind }) => kind)), images: containers.map(({ image }) => image), variables };
}

it("stowage payload writes the payload with the images that it is told", async () => {
  expect((await write("--image=r.example/stowage:7", "--set-image=AWS_EBS_DRIVER_IMAGE=")).code).toBe(0);
  const { images, variables, kinds } = await written();
  expect(images).toEqual(["r.example/stowage:7", "r.example/kube-rbac-proxy:7"]);
  expect(variables.get("LOCAL_DRIVER_IMAGE")).toBe("r.example/stowage:7");
  expect(variables.get("PROVISIONER_IMAGE")).toBe("r.example/csi-external-provisioner:7");
  expect(variables.get("SIDECARS_IMAGE")).toBe("r.example/csi-sidecars:7");
  expect(variables.get("AWS_EBS_DRIVER_IMAGE")).toBe("");
  expect(kinds).not.toContain("Infrastructure");
});

it("stowage payload says what the cluster runs on when it is told", async () => {
  expect((await write("--platform=local")).code).toBe(0);
  expect((await written()).kinds).toContain("Infrastructure");
});

it.each([
  ["an image without a tag", "--image=stowage", "has no tag"],
  ["a setting without a variable", "--set-image=stowage:1", "--set-image takes VARIABLE=IMAGE"],
])("stowage payload refuses %s as a mistake of the command line", async (_, given, words) => {
  const { code, err } = await write(given);
  expect(code).toBe(2);
  expect(err).toContain(words);
});
