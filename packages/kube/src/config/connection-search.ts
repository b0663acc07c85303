import { StowageError } from "@stowage/machinery";
import type { ConnectionConfig } from "./connection-config.ts";
import { contextConnection } from "./context-connection.ts";
import { clusterLabel, selectContext, userLabel } from "./context-selection.ts";
import { type FileReader, isMissing, readComplaint, readTextFile } from "./file-reader.ts";
import { inClusterConnection, serviceAccountDirectory } from "./in-cluster.ts";
import type { Kubeconfig } from "./kubeconfig.ts";
import { parseKubeconfig } from "./kubeconfig-document.ts";
import type { LoadKubeconfigOptions } from "./kubeconfig-loader.ts";
import { mergeKubeconfigs } from "./kubeconfig-merge.ts";
import { kubeconfigFiles, withAbsolutePaths } from "./kubeconfig-paths.ts";
import { checkMaterial } from "./material-check.ts";

/**
 * Finds out how to reach the API, as kubectl and client-go do: the explicit file; else the files of KUBECONFIG, merged; else
 * ~/.kube/config; and when those say nothing, the service account of the Pod that this process runs in.
 */
export async function findConnection(options: LoadKubeconfigOptions): Promise<ConnectionConfig> {
  const readFile = options.readFile ?? readTextFile;
  const files = kubeconfigFiles(options.path, options.env, options.homeDir);
  const configs = await Promise.all(files.paths.map((path) => readKubeconfig(path, files.mustExist, readFile)));
  const merged = mergeKubeconfigs(configs.filter((config) => config !== undefined));
  const origin = files.paths.filter((_, index) => configs[index] !== undefined).join(", ");
  if (isEmpty(merged)) {
    return whenEmpty(options, files.paths, { readFile, origin });
  }
  const selected = selectContext(merged, options.context, origin);
  const connection = contextConnection(selected, options.env, origin);
  await checkMaterial(connection, { cluster: clusterLabel(selected), user: userLabel(selected), readFile });
  return withAuthorityForPlugin(connection, readFile);
}

async function readKubeconfig(path: string, mustExist: boolean, readFile: FileReader): Promise<Kubeconfig | undefined> {
  try {
    const text = await readFile(path);
    return withAbsolutePaths(parseKubeconfig(text, path));
  } catch (error) {
    if (error instanceof StowageError) {
      throw error;
    }
    if (isMissing(error)) {
      if (!mustExist) {
        return undefined;
      }
      throw new StowageError("KUBECONFIG_NOT_FOUND", `The kubeconfig ${path} does not exist.`, { cause: error });
    }
    throw new StowageError("KUBECONFIG_INVALID", `The kubeconfig ${path} ${readComplaint(error)}.`, { cause: error });
  }
}

function isEmpty(config: Kubeconfig): boolean {
  return config.clusters.size + config.users.size + config.contexts.size === 0 && config.currentContext === undefined;
}

interface Found {
  readonly readFile: FileReader;
  /** The files that exist but hold nothing. */
  readonly origin: string;
}

async function whenEmpty(
  options: LoadKubeconfigOptions,
  paths: readonly string[],
  { readFile, origin }: Found,
): Promise<ConnectionConfig> {
  if (options.path !== undefined || options.context !== undefined) {
    const wanted = options.context === undefined ? "" : `, so there is no context "${options.context}"`;
    throw origin === ""
      ? notFound(paths, wanted)
      : new StowageError("KUBECONFIG_EMPTY", `${origin} is empty${wanted}.`);
  }
  const connection = await inClusterConnection(
    options.env,
    readFile,
    options.serviceAccountDir ?? serviceAccountDirectory(options.env),
  );
  if (connection === undefined) {
    throw origin === ""
      ? notFound(paths, "")
      : new StowageError("KUBECONFIG_EMPTY", `${origin} is empty, and this is not a Pod.`);
  }
  await checkMaterial(connection, { cluster: connection.origin, user: connection.origin, readFile });
  return connection;
}

function notFound(paths: readonly string[], wanted: string): StowageError {
  return new StowageError(
    "KUBECONFIG_NOT_FOUND",
    `There is no kubeconfig at ${paths.join(", ")}${wanted}, and this is not a Pod with a service account.`,
  );
}

/** Plugins get the authority as data, wherever it comes from. */
async function withAuthorityForPlugin(config: ConnectionConfig, readFile: FileReader): Promise<ConnectionConfig> {
  const { exec } = config.credentials;
  const authority = config.tls.certificateAuthority;
  if (exec?.cluster === undefined || authority?.kind !== "file") {
    return config;
  }
  const data = Buffer.from(await readFile(authority.path), "utf8").toString("base64");
  const cluster = { ...exec.cluster, "certificate-authority-data": data };
  return { ...config, credentials: { ...config.credentials, exec: { ...exec, cluster } } };
}
