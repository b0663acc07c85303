import { type Deployment, deployments, type Storage } from "@stowage/machinery";
import {
  deploymentController,
  type HookSet,
  type OperatorController,
  operatorHooks,
  startingAfter,
  staticResourcesController,
  withLeaderElection,
} from "@stowage/operator";
import { storageOperatorNamespace } from "../names.ts";
import type { StorageOperatorContext } from "../storage-operator-context.ts";
import { validatorAssets, validatorImageVariable, validatorName } from "./validator-assets.ts";

/**
 * Keeps the program that warns of claims whose source nobody has registered for. No claim needs it, so storage is available without:
 * none is started where the environment has no image of it. Its API, VolumePopulator, comes with the payload.
 * Watches: the Storage, the Infrastructure, nodes, its Deployment. Owns: that, its ServiceAccount and its rights. Writes conditions:
 * `VolumeDataSourceValidatorStaticControllerDegraded`, `VolumeDataSourceValidatorDeploymentController{Progressing,Degraded}`. Deletes:
 * nothing.
 */
export function validatorControllers(context: StorageOperatorContext): OperatorController[] {
  const { env, facts, informers, configObserver } = context;
  if (!env[validatorImageVariable]) return [];
  const { fixed, deployment: asset } = validatorAssets();
  const objects = staticResourcesController(context, {
    name: "VolumeDataSourceValidatorStaticController",
    resources: () => fixed,
  });
  const selection = { namespace: storageOperatorNamespace, fieldSelector: `metadata.name=${validatorName}` };
  return [
    objects,
    deploymentController<Storage>(
      { ...context, informer: informers.informer(deployments, selection) },
      {
        name: "VolumeDataSourceValidatorDeploymentController",
        saysAvailable: false,
        asset,
        ...validatorHooks(context),
        watches: [facts, startingAfter([configObserver, objects])],
      },
    ),
  ];
}

export function validatorHooks({
  env,
  facts,
}: Pick<StorageOperatorContext, "env" | "facts">): HookSet<Deployment, Storage> {
  const images = { [validatorImageVariable]: env[validatorImageVariable] };
  const hooks = operatorHooks<Storage>({ facts, images });
  return { ...hooks, manifestHooks: [...hooks.manifestHooks, withLeaderElection()] };
}
