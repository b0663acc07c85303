import type { KubeClient } from "@stowage/kube";

/** A control plane with its nodes, until it is disposed of. What runs in Pods runs on. */
export interface RunningCluster extends AsyncDisposable {
  readonly url: string;
  readonly kubeconfigPath: string;
  /** As an administrator. */
  readonly client: KubeClient;
}
