import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { load } from "js-yaml";

interface Kubeconfig {
  "current-context": string;
  contexts: { name: string; context: { cluster: string; user: string } }[];
  clusters: { name: string; cluster: { server: string } & Record<string, string> }[];
  users: { name: string; user: Record<string, string> }[];
}

export interface Credentials {
  readonly server: string;
  readonly ca?: Buffer;
  readonly cert?: Buffer;
  readonly key?: Buffer;
}

/** Of the current context. Deliberately not the project's own reader, whose mistakes the tests must be able to show. */
export function readCredentials(path: string): Credentials {
  return credentialsIn(readFileSync(path, "utf8"), path);
}

/** The path is where files that it names are looked for. */
export function credentialsIn(text: string, path = ""): Credentials {
  const config = load(text) as Kubeconfig;
  const context = config.contexts.find(({ name }) => name === config["current-context"])?.context;
  const cluster = config.clusters.find(({ name }) => name === context?.cluster)?.cluster;
  const user = config.users.find(({ name }) => name === context?.user)?.user;
  if (!cluster || !user) throw new Error(`${path} has no complete current context`);
  return {
    server: cluster.server,
    ca: material(cluster, "certificate-authority", path),
    cert: material(user, "client-certificate", path),
    key: material(user, "client-key", path),
  };
}

/** A certificate or key is either in the kubeconfig or in a file that it names, relative to itself. */
function material(holder: Record<string, string>, name: string, kubeconfigPath: string): Buffer | undefined {
  const inline = holder[`${name}-data`];
  if (inline !== undefined) return Buffer.from(inline, "base64");
  const file = holder[name];
  return file === undefined ? undefined : readFileSync(resolve(dirname(kubeconfigPath), file));
}
