import { isIPv6 } from "node:net";
import { join } from "node:path";
import { StowageError } from "@stowage/machinery";
import type { ConnectionConfig } from "./connection-config.ts";
import { environmentProxy } from "./environment-proxy.ts";
import { type FileReader, isMissing, readComplaint } from "./file-reader.ts";
import type { Environment } from "./kubeconfig-paths.ts";
import { checkedProxy } from "./server-url.ts";

const usualDirectory = "/var/run/secrets/kubernetes.io/serviceaccount";

/** Containers that are nothing but processes have their service account elsewhere, and are told so. */
export function serviceAccountDirectory(env: Environment): string {
  return env["STOWAGE_SERVICE_ACCOUNT_DIR"] ?? usualDirectory;
}

/** The connection of a Pod by its service account, or nothing when this is not a Pod. */
export async function inClusterConnection(
  env: Environment,
  readFile: FileReader,
  directory: string,
): Promise<ConnectionConfig | undefined> {
  const host = env["KUBERNETES_SERVICE_HOST"] ?? "";
  const port = env["KUBERNETES_SERVICE_PORT"] ?? "";
  const tokenFile = join(directory, "token");
  if (host === "" || port === "" || (await readIfExists(tokenFile, readFile)) === undefined) {
    return undefined;
  }
  const authority = join(directory, "ca.crt");
  // Without ca.crt the machine's own authorities are trusted, as client-go does.
  const hasAuthority = (await readIfExists(authority, readFile)) !== undefined;
  const namespace = (await readIfExists(join(directory, "namespace"), readFile))?.trim();
  const server = `https://${isIPv6(host) ? `[${host}]` : host}:${port}`;
  return {
    server,
    namespace: namespace || "default",
    origin: `the service account of this Pod (${directory})`,
    tls: hasAuthority ? { certificateAuthority: { kind: "file", path: authority } } : {},
    proxy: checkedProxy(environmentProxy(new URL(server), env)),
    credentials: { tokenFile },
  };
}

async function readIfExists(path: string, readFile: FileReader): Promise<string | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if (isMissing(error)) {
      return undefined;
    }
    throw new StowageError("CREDENTIAL_FILE_UNREADABLE", `${path} ${readComplaint(error)}.`, { cause: error });
  }
}
