import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { checkout } from "../checkout.ts";

const input = join(checkout, "packages/csi/proto");
const output = "packages/csi/src/generated";

const programs = {
  buf: join(checkout, "node_modules/@bufbuild/buf/bin/buf"),
  plugin: join(checkout, "node_modules/@bufbuild/protoc-gen-es/bin/protoc-gen-es"),
};

/**
 * The files of `packages/csi/src/generated`, by path in the checkout. Writes nothing there, and needs no network: the plugin is
 * local and the proto files import nothing but what buf brings along.
 *
 * JavaScript with declarations rather than TypeScript, since the latter has enums, which Node does not run.
 */
export async function generateCsiProtocol(): Promise<Map<string, string>> {
  const folder = await mkdtemp(join(tmpdir(), "stowage-csi-protocol-"));
  try {
    await runBuf(folder);
    return await readGenerated(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function runBuf(folder: string): Promise<void> {
  const template = {
    version: "v2",
    plugins: [{ local: [process.execPath, programs.plugin], opt: ["target=js+dts"], out: "." }],
  };
  const generate = [programs.buf, "generate", input, "--template", JSON.stringify(template), "--output", folder];
  await promisify(execFile)(process.execPath, generate, {
    cwd: checkout,
    env: { ...process.env, BUF_CACHE_DIR: join(folder, ".cache") },
  });
}

async function readGenerated(folder: string): Promise<Map<string, string>> {
  const names = (await readdir(folder)).filter((name) => /_pb\.(?:js|d\.ts)$/.test(name)).toSorted();
  const contents = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
  return new Map(names.map((name, index) => [`${output}/${name}`, contents[index] ?? ""]));
}
