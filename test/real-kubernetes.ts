import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startApiServer } from "@stowage/embedded";
import { startTemporaryLab, stderrProgress } from "@stowage/lab";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** The path of an administrator's kubeconfig for a real control plane that the tests share. */
    kubeconfig: string;
  }
}

/**
 * The set-up of the tests of the project `real`: a control plane of their own, never the developer's, built when it is
 * missing. A test that breaks things on purpose starts another with `startTemporaryLab`.
 *
 * With STOWAGE_TEST_API=embedded it is the embedded API server: those that need nothing but an API server pass on it as well.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (process.env["STOWAGE_TEST_API"] === "embedded") return await embeddedSetup(project);
  const lab = await startTemporaryLab({ progress: stderrProgress });
  project.provide("kubeconfig", lab.kubeconfigPath);
  return () => lab.stop();
}

async function embeddedSetup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(join(tmpdir(), "embedded-api-"));
  const server = await startApiServer({ dataDir });
  project.provide("kubeconfig", join(dataDir, "kubeconfig"));
  return async () => {
    await server.close();
    rmSync(dataDir, { recursive: true, force: true });
  };
}
