import type { Informer } from "@stowage/kube";
import { type Deployment, type Storage, StowageError } from "@stowage/machinery";
import {
  type Asset,
  type HookSet,
  imagesFrom,
  type OperatorController,
  operandImageNames,
  operatorDeploymentController,
  operatorHooks,
  replacePlaceholders,
  startingAfter,
  type WorkloadManifestHook,
} from "@stowage/operator";
import type { DriverOperatorEntry } from "../driver-operators/index.ts";
import { driversNamespace, storageOperatorName, storageOperatorNamespace } from "../names.ts";
import type { StorageOperatorContext } from "../storage-operator-context.ts";

export interface OperatorDeploymentParts {
  readonly asset: Asset;
  readonly informer: Informer<Deployment>;
  /** Keeps the ServiceAccount and the rights of the operator's Pod, which could not start without. */
  readonly objects: OperatorController;
}

/** The Deployment of the driver's operator: see the kit's controller for what it watches and writes. */
export function operatorDeployment(
  context: StorageOperatorContext,
  entry: DriverOperatorEntry,
  { asset, informer, objects }: OperatorDeploymentParts,
): OperatorController {
  const { facts, tlsSettings } = context;
  return operatorDeploymentController<Storage>(
    { ...context, informer },
    {
      conditionPrefix: entry.conditionPrefix,
      asset,
      ...deploymentHooks(context, entry),
      watches: [facts, tlsSettings, startingAfter([context.configObserver, objects])],
    },
  );
}

export function deploymentHooks(
  { env, facts, tlsSettings }: Pick<StorageOperatorContext, "env" | "facts" | "tlsSettings">,
  entry: DriverOperatorEntry,
): HookSet<Deployment, Storage> {
  const hooks = operatorHooks<Storage>({
    facts,
    images: {
      // The driver's operator says itself which of these it cannot do without.
      ...imagesFrom(env, { names: [...operandImageNames, "SIDECARS_IMAGE"], whenUnset: "empty" }),
      ...Object.fromEntries(
        Object.entries(entry.images).map(([placeholder, variable]) => [placeholder, env[variable]]),
      ),
    },
  });
  const withTlsSettings: WorkloadManifestHook<Storage> = async (text, { signal }) => {
    const { minTLSVersion, cipherSuites } = await tlsSettings.current(signal);
    return replacePlaceholders(text, { TLS_MIN_VERSION: minTLSVersion, TLS_CIPHER_SUITES: cipherSuites.join(",") });
  };
  const manifestHooks = [withImagesChecked(env, entry), ...hooks.manifestHooks, withTlsSettings];
  return { manifestHooks, objectHooks: hooks.objectHooks };
}

/** Of the proxy before the metrics of the driver's operator. Others are handed on; this one runs in the Pod itself. */
const PROXY_IMAGE = "KUBE_RBAC_PROXY_IMAGE";

function withImagesChecked(
  env: StorageOperatorContext["env"],
  { images, operatorName }: DriverOperatorEntry,
): WorkloadManifestHook<Storage> {
  return (text) => {
    const missing = [...Object.values(images), PROXY_IMAGE].filter((variable) => !env[variable]);
    if (missing.length === 0) return text;
    const what = `Deployment ${operatorName} -n ${driversNamespace}`;
    throw new StowageError(
      "IMAGE_VARIABLE_MISSING",
      `${what} needs ${missing.join(" and ")} in the environment of the storage operator`,
      { nextStep: `Set ${missing.join(" and ")} on Deployment ${storageOperatorName} -n ${storageOperatorNamespace}.` },
    );
  };
}
