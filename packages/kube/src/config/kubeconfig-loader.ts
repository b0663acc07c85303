import type { ConnectionConfig } from "./connection-config.ts";
import type { FileReader } from "./file-reader.ts";
import type { Environment } from "./kubeconfig-paths.ts";

export interface LoadKubeconfigOptions {
  /** This file alone, which must exist. */
  readonly path?: string;
  /** In place of the current context. */
  readonly context?: string;
  readonly env: Environment;
  readonly homeDir: string;
  readonly readFile?: FileReader;
  readonly serviceAccountDir?: string;
}

/**
 * Finds out how to reach the API, as kubectl and client-go do: the explicit file; else the files of KUBECONFIG, merged; else
 * ~/.kube/config; and when those say nothing, the service account of the Pod that this process runs in.
 *
 * What does it is needed once in a process, or never where the connection is handed in as it is in a worker, and brings a YAML
 * parser along: so it is loaded when it is called.
 */
export async function loadKubeconfig(options: LoadKubeconfigOptions): Promise<ConnectionConfig> {
  const { findConnection } = await import("./connection-search.ts");
  return findConnection(options);
}
