import type { Informer } from "@stowage/kube";
import { type ConfigMap, configMaps, type PolicyRule, StowageError } from "@stowage/machinery";
import { applyObject, localCopies, type OperatorController, operatorController, watching } from "@stowage/operator";
import { createCloudHttp } from "../../../../cloud-config/index.ts";
import type { DriverOperatorContext } from "../../../driver-context.ts";
import { type CloudConf, parseCloudConf } from "./cloud-conf.ts";
import { type FindResourceGroup, resourceGroupFinder } from "./resource-groups.ts";
import { apiKeyOf, cloudCredentials, desiredStorageSecret, driverCredentials } from "./storage-secret.ts";

/** The cloud's configuration, as the cloud controller has it. */
const CLOUD_CONF = { namespace: "openshift-cloud-controller-manager", name: "cloud-conf" } as const;
const CLOUD_CONF_KEY = "cloud.conf";
const RESYNC_MS = 20 * 60_000;

/** By namespace: what the controller has to be allowed beside what every driver's operator is. */
export const secretSyncRules: Readonly<Record<string, readonly PolicyRule[]>> = {
  [CLOUD_CONF.namespace]: [
    { apiGroups: [""], resources: ["configmaps"], resourceNames: [CLOUD_CONF.name], verbs: ["list", "watch"] },
  ],
  "openshift-cluster-csi-drivers": [
    { apiGroups: [""], resources: ["secrets"], verbs: ["create"] },
    { apiGroups: [""], resources: ["secrets"], resourceNames: [driverCredentials], verbs: ["get", "update", "delete"] },
  ],
};

/**
 * Keeps the driver's credentials. As long as the cloud's configuration or the key is not there, nothing is made, and Pods wait.
 * Watches: the operator's resource, ConfigMap `cloud-conf` of the cloud controller, and both Secrets. Owns: Secret
 * `storage-secret-store`. Writes condition: `SecretSyncDegraded`. Deletes: nothing.
 */
export function secretSyncController(
  context: DriverOperatorContext,
  find: FindResourceGroup = resourceGroupFinder(createCloudHttp({ isVerified: true, env: context.deps.env })),
): OperatorController {
  const { deps, operator, namespace, secrets } = context;
  const conf = deps.informers.informer(configMaps, {
    namespace: CLOUD_CONF.namespace,
    fieldSelector: `metadata.name=${CLOUD_CONF.name}`,
  });
  const apply = { ...deps, local: localCopies([{ informer: secrets }]) };
  const remembered = rememberLast(find);
  return operatorController(
    { ...deps, operator },
    {
      name: "SecretSync",
      watches: [watching(conf), watching(secrets, { matches: ({ metadata }) => isOurs(metadata.name) })],
      resyncMs: RESYNC_MS,
      async sync({ signal }) {
        const cloudConf = confOf(conf);
        const secret = secrets.objects.get({ namespace, name: cloudCredentials });
        if (cloudConf === undefined || secret === undefined) return;
        const apiKey = apiKeyOf(secret);
        const resourceGroupId = await remembered(cloudConf, apiKey, signal);
        await applyObject(apply, desiredStorageSecret({ conf: cloudConf, apiKey, resourceGroupId, namespace }), {
          signal,
        });
      },
    },
  );
}

function isOurs(name: string | undefined): boolean {
  return name === cloudCredentials || name === driverCredentials;
}

function confOf(informer: Informer<ConfigMap>): CloudConf | undefined {
  const found = informer.objects.get(CLOUD_CONF);
  if (found === undefined) return undefined;
  const where = `ConfigMap ${CLOUD_CONF.namespace}/${CLOUD_CONF.name}`;
  const text = found.data?.[CLOUD_CONF_KEY];
  if (text === undefined) throw new StowageError("CLOUD_CONFIG_INVALID", `${where} has no key ${CLOUD_CONF_KEY}`);
  return parseCloudConf(text, where);
}

/** A group never changes its id: the cloud is asked again only for another group, or by another key. */
function rememberLast(find: FindResourceGroup): FindResourceGroup {
  let last: { readonly question: string; readonly id: string } | undefined;
  return async (conf, apiKey, signal) => {
    const question = JSON.stringify([conf, apiKey]);
    if (last?.question !== question) last = { question, id: await find(conf, apiKey, signal) };
    return last.id;
  };
}
