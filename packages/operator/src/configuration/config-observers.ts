import {
  type APIServer,
  apiServers,
  type Proxy as ClusterProxy,
  type KubernetesObject,
  proxies,
  tlsSettingsOf,
} from "@stowage/machinery";
import type { OperatorWatch } from "../operator-controllers/index.ts";
import { type ConfigPath, type ConfigTree, treeOf } from "./config-tree.ts";
import { type OptionalInformerDeps, optionalInformer } from "./optional-informer.ts";

/** Finds one thing out about the cluster, for `spec.observedConfig`. */
export interface ConfigObserver {
  /** Where it writes, and nobody else does. */
  readonly paths: readonly ConfigPath[];
  readonly watch: OperatorWatch;
  /** Rejects when it cannot be told at present: then what was observed before stays. */
  observe(signal: AbortSignal): Promise<ConfigTree>;
}

/** Where each resource has what is observed. Hooks and other operators read it there. */
export const storageProxyPath: ConfigPath = ["targetconfig", "proxy"];
export const driverProxyPath: ConfigPath = ["targetcsiconfig", "proxy"];
export const driverServingInfoPath: ConfigPath = ["targetcsiconfig", "servingInfo"];

export function proxyObserver(deps: OptionalInformerDeps, path: ConfigPath): ConfigObserver {
  const cluster = clusterObject(deps, proxies);
  return {
    paths: [path],
    watch: cluster.watch,
    observe: async (signal) => treeOf([[path, observedProxy(await cluster.find(signal))]]),
  };
}

export function tlsObserver(deps: OptionalInformerDeps, servingInfoPath: ConfigPath): ConfigObserver {
  const cluster = clusterObject(deps, apiServers);
  const paths = [
    [...servingInfoPath, "minTLSVersion"],
    [...servingInfoPath, "cipherSuites"],
  ];
  return {
    paths,
    watch: cluster.watch,
    observe: async (signal) => treeOf([[servingInfoPath, observedServingInfo(await cluster.find(signal))]]),
  };
}

/** As the environment of a container has it. The status counts: what it lacks was found wanting. Undefined: there is no proxy. */
export function observedProxy(proxy: ClusterProxy | undefined): Readonly<Record<string, string>> | undefined {
  const { noProxy, httpProxy, httpsProxy } = proxy?.status ?? {};
  const entries = Object.entries({ NO_PROXY: noProxy, HTTP_PROXY: httpProxy, HTTPS_PROXY: httpsProxy });
  const set = entries.filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== "");
  return set.length === 0 ? undefined : Object.fromEntries(set);
}

/** Always something: where nobody has chosen a profile, and where nobody can, it is the intermediate one. */
export function observedServingInfo(apiServer: APIServer | undefined) {
  const { minTLSVersion, cipherSuites } = tlsSettingsOf(apiServer?.spec.tlsSecurityProfile);
  return { minTLSVersion, cipherSuites };
}

/** The one object of its kind, named `cluster`. */
function clusterObject<T extends KubernetesObject>(
  deps: OptionalInformerDeps,
  type: Parameters<typeof optionalInformer<T>>[1]["type"],
) {
  const watch = optionalInformer(deps, { type, selection: { fieldSelector: "metadata.name=cluster" } });
  return { watch, find: async (signal: AbortSignal) => (await watch.objects(signal))?.get({ name: "cluster" }) };
}
