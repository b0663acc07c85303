import type { Informer } from "@stowage/kube";
import { type ConfigMap, configMaps, type Infrastructure, infrastructures, type PolicyRule } from "@stowage/machinery";
import {
  applyObject,
  localCopies,
  type OperatorController,
  operatorController,
  optionalInformer,
  watching,
} from "@stowage/operator";
import type { DriverOperatorContext } from "../../../driver-context.ts";
import { desiredCloudConf } from "./cloud-conf.ts";
import { type ReadCloudZones, shouldEnableTopology } from "./cloud-zones.ts";
import {
  caKey,
  checkCredentials,
  chooseSource,
  cloudCa,
  cloudConfigRef,
  cloudProviderConfigName,
  configNamespace,
  credentialsName,
  type FoundConfig,
  topologyKey,
  userConfigName,
} from "./config-sources.ts";

/** What the driver's Pods mount; they restart when it changes. */
const TARGET_NAME = "cloud-conf";
const RESYNC_MS = 20 * 60_000;

/** By namespace: what the controller has to be allowed beside what every driver's operator is. */
export const configSyncRules: Readonly<Record<string, readonly PolicyRule[]>> = {
  [configNamespace]: [{ apiGroups: [""], resources: ["configmaps"], verbs: ["list", "watch"] }],
  "openshift-cluster-csi-drivers": [
    { apiGroups: [""], resources: ["configmaps"], verbs: ["create"] },
    { apiGroups: [""], resources: ["configmaps"], resourceNames: [TARGET_NAME], verbs: ["get", "update", "delete"] },
  ],
};

/**
 * Keeps the configuration of the driver's Pods. Watches: the operator's resource, ConfigMaps of `openshift-config` and of the driver's
 * namespace, its Secrets, and the Infrastructure. Owns: ConfigMap `cloud-conf`. Writes condition: `ConfigSyncDegraded`. Deletes: nothing.
 */
export function configSyncController(
  context: DriverOperatorContext,
  readZones: ReadCloudZones = async () => undefined,
): OperatorController {
  const { deps, operator, namespace } = context;
  const sources = configSources(context);
  const apply = { ...deps, local: localCopies([{ informer: context.configMaps }]) };
  return operatorController(
    { ...deps, operator },
    {
      name: "ConfigSync",
      watches: sources.watches,
      resyncMs: RESYNC_MS,
      async sync({ signal }) {
        const found = await sources.find(signal);
        const { source, topology } = chooseSource(found);
        const ca = cloudCa(found);
        const wanted = desiredConfigMap(namespace, {
          "cloud.conf": desiredCloudConf({ source, hasCa: ca !== undefined }),
          [topologyKey]: topology || String(shouldEnableTopology(await readZones(signal))),
          ...(ca !== undefined && { [caKey]: ca }),
        });
        await applyObject(apply, wanted, { signal });
        // Last: a driver that cannot get into the cloud should find its configuration all the same.
        checkCredentials(context.secrets.objects.get({ namespace, name: credentialsName }));
      },
    },
  );
}

function desiredConfigMap(namespace: string, data: Record<string, string>): ConfigMap {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name: TARGET_NAME, namespace }, data };
}

function configSources({ deps, namespace, configMaps: own, secrets }: DriverOperatorContext) {
  const shared = deps.informers.informer(configMaps, { namespace: configNamespace });
  const infrastructure = optionalInformer<Infrastructure>(deps, {
    type: infrastructures,
    selection: { fieldSelector: "metadata.name=cluster" },
  });
  const isNamed = (names: readonly string[]) => (object: { metadata: { name?: string } }) =>
    names.includes(object.metadata.name ?? "");
  return {
    watches: [
      watching(shared),
      infrastructure,
      watching(own, { matches: isNamed([TARGET_NAME, cloudProviderConfigName]) }),
      watching(secrets, { matches: isNamed([credentialsName]) }),
    ],
    async find(signal: AbortSignal): Promise<FoundConfig> {
      const cloudRef = cloudConfigRef((await infrastructure.objects(signal))?.get({ name: "cluster" }));
      return {
        user: inNamespace(shared, configNamespace, userConfigName),
        cloud: cloudRef && inNamespace(shared, configNamespace, cloudRef.name),
        cloudKey: cloudRef?.key,
        cloudProvider: inNamespace(own, namespace, cloudProviderConfigName),
      };
    },
  };
}

function inNamespace(informer: Informer<ConfigMap>, namespace: string, name: string): ConfigMap | undefined {
  return informer.objects.get({ namespace, name });
}
