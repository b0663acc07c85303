import type { Informer } from "@stowage/kube";
import { type Deployment, type Storage, StowageError } from "@stowage/machinery";
import {
  type Asset,
  type ControllerHooksSpec,
  type Environment,
  type HookSet,
  type HostedFacts,
  imagesFrom,
  type OperatorController,
  operandImageNames,
  operatorDeploymentController,
  operatorHooks,
  replacePlaceholders,
  startingAfter,
  type WorkloadManifestHook,
} from "@stowage/operator";
import {
  controlPlaneImageOf,
  type DriverOperatorEntry,
  driverControlPlaneImage,
  hostedHandsOn,
} from "../driver-operators/index.ts";
import { storageOperatorName } from "../names.ts";
import type { OperatorsSide } from "../operators-side.ts";
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
  const { facts, tlsSettings, operators } = context;
  const { client, mapper, hosted } = operators;
  return operatorDeploymentController<Storage>(
    { ...context, client, mapper, informer },
    {
      conditionPrefix: entry.conditionPrefix,
      asset,
      ...deploymentHooks(context, entry),
      watches: [
        facts,
        tlsSettings,
        ...(hosted === undefined ? [] : [hosted]),
        startingAfter([context.configObserver, objects]),
      ],
    },
  );
}

export type DeploymentHooksDeps = Pick<StorageOperatorContext, "env" | "facts" | "tlsSettings"> & {
  readonly operators: Pick<OperatorsSide, "namespace" | "ownNamespace"> & { readonly hosted?: HostedFacts };
};

export function deploymentHooks(deps: DeploymentHooksDeps, entry: DriverOperatorEntry): HookSet<Deployment, Storage> {
  const { env, facts, tlsSettings, operators } = deps;
  const names = [...operandImageNames, "SIDECARS_IMAGE", ...(entry.handsOn ?? [])];
  const hooks = operatorHooks<Storage>({
    facts,
    images: {
      // The driver's operator says itself which of these it cannot do without.
      ...imagesFrom(env, { names, whenUnset: "empty" }),
      ...Object.fromEntries(
        Object.entries(entry.images).map(([placeholder, variable]) => [placeholder, env[variable]]),
      ),
      ...(operators.hosted && hostedImages(env, entry)),
    },
    ...hostedHooks(deps, entry),
  });
  const withTlsSettings: WorkloadManifestHook<Storage> = async (text, { signal }) => {
    const { minTLSVersion, cipherSuites } = await tlsSettings.ofOperators(signal);
    return replacePlaceholders(text, { TLS_MIN_VERSION: minTLSVersion, TLS_CIPHER_SUITES: cipherSuites.join(",") });
  };
  const manifestHooks = [withImagesChecked(deps, entry), ...hooks.manifestHooks, withTlsSettings];
  return { manifestHooks, objectHooks: hooks.objectHooks };
}

function hostedImages(env: Environment, entry: DriverOperatorEntry): Record<string, string | undefined> {
  const driverImage = env[controlPlaneImageOf(entry)] ?? "";
  return {
    ...imagesFrom(env, { names: hostedHandsOn(entry), whenUnset: "empty" }),
    [driverControlPlaneImage]: driverImage,
  };
}

function hostedHooks(
  { env, operators: { hosted, namespace } }: DeploymentHooksDeps,
  entry: DriverOperatorEntry,
): Pick<ControllerHooksSpec<Storage>, "hosted" | "hooks"> {
  if (hosted === undefined) return {};
  const { OPERATOR_IMAGE_VERSION: version } = env;
  return {
    hosted: { facts: hosted, env, place: { namespace, managedBy: storageOperatorName, version } },
    hooks: entry.hosted?.hooks?.(env) ?? [],
  };
}

/** Of the proxy before the metrics of the driver's operator. Others are handed on; this one runs in the Pod itself. */
const PROXY_IMAGE = "KUBE_RBAC_PROXY_IMAGE";

function withImagesChecked(
  { env, operators }: DeploymentHooksDeps,
  { images, operatorName }: DriverOperatorEntry,
): WorkloadManifestHook<Storage> {
  return (text) => {
    const missing = [...Object.values(images), PROXY_IMAGE].filter((variable) => !env[variable]);
    if (missing.length === 0) return text;
    const what = `Deployment ${operatorName} -n ${operators.namespace}`;
    throw new StowageError(
      "IMAGE_VARIABLE_MISSING",
      `${what} needs ${missing.join(" and ")} in the environment of the storage operator`,
      { nextStep: `Set ${missing.join(" and ")} on Deployment ${storageOperatorName} -n ${operators.ownNamespace}.` },
    );
  };
}
