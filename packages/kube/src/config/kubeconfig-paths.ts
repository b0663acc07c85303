import { delimiter, dirname, isAbsolute, join, resolve, sep } from "node:path";
import type { ClusterEntry, Kubeconfig, UserEntry } from "./kubeconfig.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

export interface KubeconfigFiles {
  readonly paths: readonly string[];
  /** A file that was asked for by name must exist; those of a list or the default may be missing. */
  readonly mustExist: boolean;
}

/** Which files to read: the explicit one; else those of KUBECONFIG; else ~/.kube/config. */
export function kubeconfigFiles(explicit: string | undefined, env: Environment, homeDir: string): KubeconfigFiles {
  if (explicit !== undefined && explicit !== "") {
    return { paths: [resolve(explicit)], mustExist: true };
  }
  const listed = (env["KUBECONFIG"] ?? "").split(delimiter).filter((path) => path !== "");
  if (listed.length > 0) {
    return { paths: [...new Set(listed.map((path) => resolve(path)))], mustExist: false };
  }
  return { paths: [join(homeDir, ".kube", "config")], mustExist: false };
}

/** Paths inside a kubeconfig are relative to the file that holds them, not to where the program was started. */
export function withAbsolutePaths(config: Kubeconfig): Kubeconfig {
  return {
    ...config,
    clusters: mapValues(config.clusters, absoluteCluster),
    users: mapValues(config.users, absoluteUser),
  };
}

function absoluteCluster(cluster: ClusterEntry): ClusterEntry {
  return { ...cluster, ...absolute(cluster, "certificateAuthority") };
}

function absoluteUser(user: UserEntry): UserEntry {
  const paths = {
    ...absolute(user, "clientCertificate"),
    ...absolute(user, "clientKey"),
    ...absolute(user, "tokenFile"),
  };
  const command = user.exec?.command;
  // A bare command is looked up on the PATH.
  if (user.exec === undefined || command === undefined || !command.includes(sep) || isAbsolute(command)) {
    return { ...user, ...paths };
  }
  return { ...user, ...paths, exec: { ...user.exec, command: resolve(dirname(user.file), command) } };
}

function absolute<K extends string>(
  entry: { readonly file: string } & { readonly [P in K]?: string },
  key: K,
): { [P in K]?: string } {
  const path: string | undefined = entry[key];
  return path === undefined ? {} : ({ [key]: resolve(dirname(entry.file), path) } as { [P in K]?: string });
}

function mapValues<T>(entries: ReadonlyMap<string, T>, change: (value: T) => T): ReadonlyMap<string, T> {
  return new Map([...entries].map(([name, value]) => [name, change(value)]));
}
