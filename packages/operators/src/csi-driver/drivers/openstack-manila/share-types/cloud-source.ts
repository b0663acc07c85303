import type { Informer } from "@stowage/kube";
import { type ConfigMap, configMaps, StowageError } from "@stowage/machinery";
import { type OperatorWatch, watching } from "@stowage/operator";
import { createCloudHttp } from "../../../../cloud-config/index.ts";
import { createKeystone, createManila, parseCloudsFile, type ShareType } from "../../../../openstack/index.ts";
import type { DriverOperatorContext } from "../../../driver-context.ts";

export const configNamespace = "openshift-config";
/** The cloud's configuration; of it the authority is needed, where the cloud has one of its own. */
export const cloudConfigName = "cloud-provider-config";
const AUTHORITY_KEY = "ca-bundle.pem";
const CREDENTIALS_NAME = "manila-cloud-credentials";
const CLOUDS_KEY = "clouds.yaml";
/** In the Secret, where the credentials came with it. */
const SECRET_AUTHORITY_KEY = "cacert";

/** Beside a hosted control plane, with the same authority. */
export const hostedCloudConfigName = "openstack-cloud-config";

/** Asks the cloud by what the cluster has at the moment: neither a new password nor a new authority needs another process. */
export interface CloudSource {
  readonly watches: readonly OperatorWatch[];
  /** In `openshift-config`, of the guest where there is one. */
  readonly cloudConfig: Informer<ConfigMap>;
  shareTypes(signal: AbortSignal): Promise<ShareType[]>;
}

export function cloudSource(context: DriverOperatorContext): CloudSource {
  const { informers, env, clock } = context.deps;
  const { controllerSide: hosted } = context;
  const cloudConfig = informers.informer(configMaps, {
    namespace: configNamespace,
    fieldSelector: `metadata.name=${cloudConfigName}`,
  });
  const { secrets, namespace } = hosted ?? context;
  const shared =
    hosted === undefined
      ? { copies: cloudConfig, ref: { namespace: configNamespace, name: cloudConfigName } }
      : { copies: hosted.configMaps, ref: { namespace: hosted.namespace, name: hostedCloudConfigName } };
  // With it goes the token: as long as nothing changes, nobody logs in anew.
  let last: { readonly key: string; readonly manila: ReturnType<typeof createManila> } | undefined;
  const manila = () => {
    const { clouds, authority } = found(secrets.objects.get({ namespace, name: CREDENTIALS_NAME }), namespace);
    const ofCloud = shared.copies.objects.get(shared.ref)?.data?.[AUTHORITY_KEY];
    const key = JSON.stringify([clouds, authority, ofCloud]);
    if (last?.key !== key) {
      const access = parseCloudsFile(clouds, `Secret ${namespace}/${CREDENTIALS_NAME}, key ${CLOUDS_KEY}`);
      const http = createCloudHttp({ authority: authority ?? ofCloud, isVerified: access.isVerified, env });
      last = { key, manila: createManila(createKeystone({ http, clock }, access)) };
    }
    return last.manila;
  };
  return {
    cloudConfig,
    watches: [
      watching(shared.copies, { matches: ({ metadata }) => metadata.name === shared.ref.name }),
      watching(secrets, { matches: ({ metadata }) => metadata.name === CREDENTIALS_NAME }),
    ],
    shareTypes: async (signal) => manila().shareTypes(signal),
  };
}

interface FoundCredentials {
  readonly clouds: string;
  readonly authority: string | undefined;
}

function found(secret: { readonly data?: Readonly<Record<string, string>> } | undefined, namespace: string) {
  const where = `Secret ${namespace}/${CREDENTIALS_NAME}`;
  const textOf = (key: string) => Buffer.from(secret?.data?.[key] ?? "", "base64").toString("utf8") || undefined;
  const clouds = textOf(CLOUDS_KEY);
  if (clouds === undefined) {
    const what = secret === undefined ? `there is no ${where}` : `${where} has no key ${CLOUDS_KEY}`;
    throw new StowageError("CLOUD_CONFIG_INVALID", what, {
      nextStep: `Wait for the cloud's credentials to be made, or put them into this key of ${where}.`,
    });
  }
  return { clouds, authority: textOf(SECRET_AUTHORITY_KEY) } satisfies FoundCredentials;
}
