import { type BinaryName, ensureBinaries, stderrProgress } from "@stowage/lab";

/** Of control planes. What one test alone needs, that builds. */
const names: readonly BinaryName[] = ["etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler", "kubectl"];

/** The set-up of tests that start what they need themselves: it is built here, since several of them begin at once and have little time. */
export async function setup(): Promise<void> {
  await ensureBinaries(names, { progress: stderrProgress });
}
