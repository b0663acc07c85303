import type { Informer } from "@stowage/kube";
import { type ConfigMap, configMaps, StowageError } from "@stowage/machinery";
import { type OperatorWatch, watching } from "@stowage/operator";
import type { DriverOperatorContext } from "../../../driver-context.ts";
import { type VCenterPlace, vcentersOf } from "./cloud-config.ts";
import { loginFrom, type VCenterLogin } from "./config-text.ts";

export const configNamespace = "openshift-config";
const CREDENTIALS_NAME = "vmware-vsphere-cloud-credentials";

/** What the cluster knows of its vCenters, as it is at the moment. */
export interface ConfigSource {
  readonly watches: readonly OperatorWatch[];
  vcenters(signal: AbortSignal): Promise<(VCenterPlace & VCenterLogin)[]>;
}

/** Watches the cloud's configuration, which the Infrastructure names, the Infrastructure, and the credentials. */
export function configSource({ deps, facts, namespace, secrets }: DriverOperatorContext): ConfigSource {
  const shared = deps.informers.informer(configMaps, { namespace: configNamespace });
  const where = `Secret ${namespace}/${CREDENTIALS_NAME}`;
  return {
    watches: [
      watching(shared),
      facts,
      watching(secrets, { matches: ({ metadata }) => metadata.name === CREDENTIALS_NAME }),
    ],
    async vcenters(signal) {
      const { platformSpec, cloudConfig } = await facts.current(signal);
      const places = vcentersOf(sourceOf(shared, cloudConfig), platformSpec);
      if (places.length === 0) {
        throw new StowageError(
          "CLOUD_CONFIG_INVALID",
          "neither the cloud's configuration nor the Infrastructure names a vCenter",
        );
      }
      const secret = secrets.objects.get({ namespace, name: CREDENTIALS_NAME });
      return places.map((place) => ({ ...place, ...loginFrom(secret, place.server, where) }));
    },
  };
}

/** Where no Infrastructure names one. */
const USUAL_CONFIG = { name: "cloud-provider-config", key: "config" };

function sourceOf(shared: Informer<ConfigMap>, ref: { readonly name?: string; readonly key?: string } | undefined) {
  const isNamed = Boolean(ref?.name);
  const { name = "", key = "" } = (isNamed ? ref : undefined) ?? USUAL_CONFIG;
  const where = `ConfigMap ${configNamespace}/${name}, key ${key}`;
  const text = shared.objects.get({ namespace: configNamespace, name })?.data?.[key];
  if (text !== undefined) return { text, where };
  if (isNamed) throw new StowageError("CLOUD_CONFIG_INVALID", `there is no ${where}`);
  return undefined;
}
