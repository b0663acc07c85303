import {
  type ConfigMap,
  configMaps,
  type Deployment,
  deployments,
  type Secret,
  type Storage,
  secrets,
} from "@stowage/machinery";
import {
  deploymentController,
  type HookSet,
  type OperatorController,
  type OperatorWatch,
  operatorHooks,
  type StaticResource,
  servingRequestsOf,
  startingAfter,
  staticResourcesController,
  watching,
  withCaBundle,
  withDependencies,
} from "@stowage/operator";
import { storageOperatorNamespace } from "../names.ts";
import { operatorCertificates } from "../serving-certificates.ts";
import type { StorageOperatorContext } from "../storage-operator-context.ts";
import { operatorConfigText } from "../tls-settings-source.ts";
import {
  detectorAssets,
  detectorAuthorities,
  detectorImageVariable,
  detectorName,
  detectorSecrets,
} from "./detector-assets.ts";
import { monitoringControllers } from "./monitoring-controller.ts";

/**
 * Keeps the program that looks for what vSphere lacks. Storage is well without it: none is started where the environment has no image
 * of it, and what it finds it says itself. Watches: the Storage, the Infrastructure, nodes, the APIServer, its Deployment, the Secrets
 * with its login and its certificate, the cluster's authorities. Owns: the Deployment, its ServiceAccount, bindings, ConfigMaps
 * and Service. Writes conditions: `VSphereProblemDetectorStarterStaticControllerDegraded`,
 * `VSphereProblemDetectorDeploymentController{Progressing,Degraded}`, and those of `monitoringControllers`. Deletes: nothing.
 */
export function detectorControllers(context: StorageOperatorContext): OperatorController[] {
  if (!context.env[detectorImageVariable]) return [];
  const assets = detectorAssets();
  const { fixed, deployment: asset } = assets;
  const objects = detectorStaticResources(context, fixed);
  const certificates = operatorCertificates(context, {
    name: "VSphereProblemDetectorServingCertificates",
    requests: servingRequestsOf(fixed.map(({ object }) => object)),
  });
  const copies = detectorCopies(context);
  const informer = context.informers.informer(deployments, selectionOf(detectorName));
  const spec = {
    name: "VSphereProblemDetectorDeploymentController",
    saysAvailable: false,
    asset,
    ...detectorHooks(context, copies),
    watches: [context.facts, ...copies.watches, startingAfter([context.configObserver, objects, certificates])],
  };
  return [
    objects,
    certificates,
    deploymentController<Storage>({ ...context, informer }, spec),
    ...monitoringControllers(context, assets),
  ];
}

const selectionOf = (name: string) => ({
  namespace: storageOperatorNamespace,
  fieldSelector: `metadata.name=${name}`,
});

function detectorStaticResources(
  context: StorageOperatorContext,
  fixed: readonly StaticResource[],
): OperatorController {
  const { tlsSettings } = context;
  return staticResourcesController(context, {
    name: "VSphereProblemDetectorStarterStaticController",
    watches: [tlsSettings],
    resources: async (_operator, signal) => {
      const text = operatorConfigText(await tlsSettings.ofOperators(signal));
      return fixed.map((resource) => withOperatorConfig(resource, text));
    },
  });
}

function withOperatorConfig(resource: StaticResource, text: string): StaticResource {
  const { object } = resource;
  if (object.metadata.name !== `${detectorName}-config`) return resource;
  return { ...resource, object: { ...object, data: { "config.yaml": text } } as ConfigMap };
}

/** Of what restarts its Pods: a login that is right is tried at once. */
interface DetectorCopies {
  readonly watches: readonly OperatorWatch[];
  secrets(): readonly (Secret | undefined)[];
  authorities(): ConfigMap | undefined;
}

function detectorCopies({ informers }: Pick<StorageOperatorContext, "informers">): DetectorCopies {
  const namespace = storageOperatorNamespace;
  const known = detectorSecrets.map((name) => ({ name, informer: informers.informer(secrets, selectionOf(name)) }));
  const authorities = informers.informer(configMaps, selectionOf(detectorAuthorities));
  return {
    watches: [...known.map(({ informer }) => watching(informer)), watching(authorities)],
    secrets: () => known.map(({ name, informer }) => informer.objects.get({ namespace, name })),
    authorities: () => authorities.objects.get({ namespace, name: detectorAuthorities }),
  };
}

export function detectorHooks(
  { env, facts }: Pick<StorageOperatorContext, "env" | "facts">,
  copies: Pick<DetectorCopies, "secrets" | "authorities">,
): HookSet<Deployment, Storage> {
  return operatorHooks<Storage>({
    facts,
    images: { OPERATOR_IMAGE: env[detectorImageVariable] },
    hooks: [withDependencies(copies.secrets), withCaBundle(copies.authorities)],
  });
}
