import { type ConfigMap, type Infrastructure, type Secret, StowageError } from "@stowage/machinery";

export const configNamespace = "openshift-config";
/** For users who configure this driver; it goes before the configuration of the whole cloud. */
export const userConfigName = "cinder-csi-config";
const USER_CONFIG_KEY = "config";
/** In the driver's own namespace, put there by the platform. */
export const cloudProviderConfigName = "cloud-provider-config";
/** Likewise beside a hosted control plane. */
export const hostedCloudConfigName = "openstack-cloud-config";
export const credentialsName = "openstack-cloud-credentials";
export const CREDENTIALS_KEY = "clouds.yaml";
export const caKey = "ca-bundle.pem";
export const topologyKey = "enable_topology";

/** What there is to configure the driver from; undefined what is not there. */
export interface FoundConfig {
  readonly user: ConfigMap | undefined;
  /** Which the Infrastructure names. */
  readonly cloud: ConfigMap | undefined;
  readonly cloudKey: string | undefined;
  readonly cloudProvider: ConfigMap | undefined;
}

export interface ChosenSource {
  readonly source: { readonly text: string; readonly where: string } | undefined;
  /** What it says of topology; empty when it leaves that open. */
  readonly topology: string;
}

/** The first that is there counts, whole: one that lacks its key is a mistake and not passed over. */
export function chooseSource({ user, cloud, cloudKey = "" }: FoundConfig): ChosenSource {
  const [found, key] = user === undefined ? [cloud, cloudKey] : [user, USER_CONFIG_KEY];
  if (found === undefined) return { source: undefined, topology: "" };
  const where = nameOf(found);
  const text = found.data?.[key];
  if (text === undefined) throw missingKey(where, key, `Put the configuration into this key of ${where}.`);
  const topology = found.data?.[topologyKey] ?? "";
  if (!["", "true", "false"].includes(topology)) {
    throw new StowageError("CLOUD_CONFIG_INVALID", `${where}: ${topologyKey} must be true or false`);
  }
  return { source: { text, where: `${where}, key ${key}` }, topology };
}

/** The authority that signed the cloud's own certificates; undefined when they are signed by one that everybody knows. */
export function cloudCa({ cloudProvider, cloud }: FoundConfig): string | undefined {
  return [cloudProvider, cloud].map((configMap) => configMap?.data?.[caKey]).find(Boolean);
}

/** Of the cloud's configuration; nothing where no Infrastructure names one. */
export function cloudConfigRef(infrastructure: Infrastructure | undefined): { name: string; key: string } | undefined {
  const { name = "", key = "" } = infrastructure?.spec.cloudConfig ?? {};
  return name === "" ? undefined : { name, key };
}

/** A Secret that is not there yet is waited for by the Pods; one that cannot be used has to be told of. */
export function checkCredentials(secret: Secret | undefined): void {
  if (secret === undefined || secret.data?.[CREDENTIALS_KEY]) return;
  const where = nameOf(secret);
  throw missingKey(where, CREDENTIALS_KEY, `Put the cloud's credentials into this key of ${where}.`);
}

export function nameOf({ kind, metadata }: ConfigMap | Secret): string {
  return `${kind} ${metadata.namespace}/${metadata.name}`;
}

function missingKey(where: string, key: string, nextStep: string): StowageError {
  return new StowageError("CLOUD_CONFIG_INVALID", `${where} has no key ${key}`, { nextStep });
}
