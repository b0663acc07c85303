import type { Informer } from "@stowage/kube";
import { type ConfigMap, configMaps, type Infrastructure, infrastructures, type PolicyRule } from "@stowage/machinery";
import {
  applyObject,
  localCopies,
  type OperatorController,
  type OperatorWatch,
  operatorController,
  optionalInformer,
  watching,
} from "@stowage/operator";
import type { DriverOperatorContext, HostedSide } from "../../../driver-context.ts";
import { desiredCloudConf } from "./cloud-conf.ts";
import { cloudZonesReader, type ReadCloudZones } from "./cloud-zones.ts";
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
  hostedCloudConfigName,
  topologyKey,
  userConfigName,
} from "./config-sources.ts";
import { chooseTopology } from "./topology-choice.ts";

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
 * namespace, its Secrets, and the Infrastructure; beside a hosted control plane the ConfigMaps and Secrets of that alone. Owns: ConfigMap
 * `cloud-conf`, there and beside the nodes. Writes condition: `ConfigSyncDegraded`. Deletes: nothing.
 */
export function configSyncController(
  context: DriverOperatorContext,
  readZones: ReadCloudZones = cloudZonesReader(context.deps),
): OperatorController {
  const { deps, operator, controllerSide: hosted } = context;
  const sources = hosted === undefined ? configSources(context) : hostedSources(context, hosted);
  const side = hosted ?? context;
  return operatorController(
    { ...deps, operator },
    {
      name: "ConfigSync",
      watches: sources.watches,
      resyncMs: RESYNC_MS,
      async sync({ signal }) {
        const found = await sources.find(signal);
        const { source, topology: configured } = chooseSource(found);
        const ca = cloudCa(found);
        const credentials = side.secrets.objects.get({ namespace: side.namespace, name: credentialsName });
        const present = inNamespace(side.configMaps, side.namespace, TARGET_NAME)?.data?.[topologyKey];
        const input = { configured, present, credentials, authority: ca };
        const { topology, failure } = await chooseTopology(readZones, input, signal);
        const data = {
          "cloud.conf": desiredCloudConf({ source, hasCa: ca !== undefined }),
          [topologyKey]: topology,
          ...(ca !== undefined && { [caKey]: ca }),
        };
        for (const target of targetsOf(context)) {
          await applyObject(target.apply, desiredConfigMap(target.namespace, data), { signal });
        }
        // Last: a driver that cannot get into the cloud should find its configuration all the same.
        checkCredentials(credentials);
        if (failure !== undefined) throw failure;
      },
    },
  );
}

/** Where Pods mount it: those of the controller and those of the nodes. */
function targetsOf({ deps, namespace, configMaps: own, controllerSide: hosted }: DriverOperatorContext) {
  const nodes = { namespace, apply: { ...deps, local: localCopies([{ informer: own }]) } };
  if (hosted === undefined) return [nodes];
  const { client, mapper } = hosted;
  const local = localCopies([{ informer: hosted.configMaps }]);
  return [{ namespace: hosted.namespace, apply: { ...deps, client, mapper, local } }, nodes];
}

function desiredConfigMap(namespace: string, data: Record<string, string>): ConfigMap {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name: TARGET_NAME, namespace }, data };
}

interface ConfigSources {
  readonly watches: readonly OperatorWatch[];
  find(signal: AbortSignal): Promise<FoundConfig>;
}

function configSources({ deps, namespace, configMaps: own, secrets }: DriverOperatorContext): ConfigSources {
  const shared = deps.informers.informer(configMaps, { namespace: configNamespace });
  const infrastructure = optionalInformer<Infrastructure>(deps, {
    type: infrastructures,
    selection: { fieldSelector: "metadata.name=cluster" },
  });
  return {
    watches: [
      watching(shared),
      infrastructure,
      watching(own, { matches: isNamed([TARGET_NAME, cloudProviderConfigName]) }),
      watching(secrets, { matches: isNamed([credentialsName]) }),
    ],
    async find(signal) {
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

/** HyperShift has no configuration of the user's, and the cloud's authority by another name. */
function hostedSources({ configMaps: own }: DriverOperatorContext, hosted: HostedSide): ConfigSources {
  return {
    watches: [
      watching(hosted.configMaps, { matches: isNamed([TARGET_NAME, hostedCloudConfigName]) }),
      watching(own, { matches: isNamed([TARGET_NAME]) }),
      watching(hosted.secrets, { matches: isNamed([credentialsName]) }),
    ],
    find: async () => ({
      user: undefined,
      cloud: undefined,
      cloudKey: undefined,
      cloudProvider: inNamespace(hosted.configMaps, hosted.namespace, hostedCloudConfigName),
    }),
  };
}

function isNamed(names: readonly string[]) {
  return (object: { readonly metadata: { readonly name?: string } }) => names.includes(object.metadata.name ?? "");
}

function inNamespace(informer: Informer<ConfigMap>, namespace: string, name: string): ConfigMap | undefined {
  return informer.objects.get({ namespace, name });
}
