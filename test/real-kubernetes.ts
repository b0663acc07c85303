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
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const lab = await startTemporaryLab({ progress: stderrProgress });
  project.provide("kubeconfig", lab.kubeconfigPath);
  return () => lab.stop();
}
