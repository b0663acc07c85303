/**
 * Rewrites `packages/machinery/openapi` from the server of the current kubeconfig, through kubectl:
 *
 *   KUBECONFIG=… node scripts/generate/refresh-openapi.ts
 */
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { fetchOpenApi } from "./fetch-openapi.ts";

const run = promisify(execFile);
const directory = new URL("../../packages/machinery/openapi/", import.meta.url);

async function getThroughKubectl(path: string): Promise<unknown> {
  const { stdout } = await run("kubectl", ["get", "--raw", path], { maxBuffer: 64 * 1024 * 1024 });
  return JSON.parse(stdout);
}

for (const [name, content] of await fetchOpenApi(getThroughKubectl)) {
  await writeFile(new URL(name, directory), content);
}
