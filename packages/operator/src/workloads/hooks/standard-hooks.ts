import type { ConfigMap, DaemonSet, Deployment, Secret } from "@stowage/machinery";
import { storageProxyPath } from "../../configuration/index.ts";
import type { OperatorResource } from "../../operator-client/index.ts";
import { withCaBundle } from "./ca-bundle.ts";
import { withDependencies } from "./dependencies.ts";
import { withForcedRollout } from "./forced-rollout.ts";
import type { Workload, WorkloadFacts, WorkloadHook, WorkloadManifestHook } from "./hook-context.ts";
import {
  type HostedFacts,
  type HostedPlace,
  withControlPlaneImages,
  withHostedLabels,
  withHostedNodeSelector,
  withHostedPlace,
  withHostedReplicas,
  withHostedTolerations,
  withManagementProxy,
  withRunAsUser,
} from "./hosted/index.ts";
import { withLeaderElection } from "./leader-election-values.ts";
import { withNodeRollout } from "./node-rollout.ts";
import { withObservedProxy } from "./observed-proxy.ts";
import { type OperandPlaceholders, withOperandPlaceholders } from "./operand-placeholders.ts";
import { withServingInfo } from "./serving-info.ts";
import { withControlPlaneTopology, withReplicas } from "./topology.ts";

export interface HookSet<W extends Workload, T extends OperatorResource> {
  readonly manifestHooks: readonly WorkloadManifestHook<T>[];
  readonly objectHooks: readonly WorkloadHook<W, T>[];
}

export interface ControllerHooksSpec<T extends OperatorResource> extends OperandPlaceholders {
  readonly facts: WorkloadFacts;
  /** Where the control plane is not in the cluster. */
  readonly hosted?: HostedHooksSpec;
  /** Of the driver. */
  readonly hooks?: readonly WorkloadHook<Deployment, T>[];
  /** Restart the Pods: the cloud's credentials, the certificate of the metrics. */
  readonly secrets?: () => readonly (Secret | undefined)[];
}

export interface HostedHooksSpec {
  readonly facts: HostedFacts;
  readonly place: HostedPlace;
  /** Of the operator: images, user and proxy of the management cluster. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** What every driver's controller Deployment goes through. The order is the originals': hooks are told by their index. */
export function controllerHooks<T extends OperatorResource>(spec: ControllerHooksSpec<T>): HookSet<Deployment, T> {
  const { facts, hosted, hooks = [], secrets } = spec;
  return {
    manifestHooks: [withOperandPlaceholders(spec), withServingInfo(), withLeaderElection()],
    objectHooks: [
      ...(hosted === undefined ? ownControlPlaneHooks(facts) : hostedControlPlaneHooks(facts, hosted)),
      ...hooks,
      ...(secrets === undefined ? [] : [withDependencies(secrets)]),
      withForcedRollout(),
    ],
  };
}

function ownControlPlaneHooks(facts: WorkloadFacts): WorkloadHook<Deployment>[] {
  return [withControlPlaneTopology(facts), withObservedProxy(), withReplicas(facts)];
}

function hostedControlPlaneHooks(facts: WorkloadFacts, hosted: HostedHooksSpec): WorkloadHook<Deployment>[] {
  return [...hostedPlaceHooks(facts, hosted), withManagementProxy(hosted.env)];
}

function hostedPlaceHooks(facts: WorkloadFacts, hosted: HostedHooksSpec): WorkloadHook<Deployment>[] {
  const { facts: controlPlane, place, env } = hosted;
  const [placed, fitted] = [withHostedPlace(place), withControlPlaneTopology(facts)];
  return [
    // The place is in the originals' assets: it has no index of its own.
    async (deployment, context) => fitted(await placed(deployment, context), context),
    withHostedReplicas(),
    withHostedNodeSelector(controlPlane),
    withHostedLabels(controlPlane),
    withControlPlaneImages(env),
    withHostedTolerations(controlPlane),
    withRunAsUser(env),
  ];
}

export interface NodeHooksSpec<T extends OperatorResource> extends OperandPlaceholders {
  /** With the trusted authorities. */
  readonly caBundle?: () => ConfigMap | undefined;
  readonly configMaps?: () => readonly (ConfigMap | undefined)[];
  readonly secrets?: () => readonly (Secret | undefined)[];
  /** Of the driver; after all others. */
  readonly hooks?: readonly WorkloadHook<DaemonSet, T>[];
}

/** What every driver's node DaemonSet goes through, likewise. */
export function nodeHooks<T extends OperatorResource>(spec: NodeHooksSpec<T>): HookSet<DaemonSet, T> {
  const { caBundle, configMaps, secrets, hooks = [] } = spec;
  return {
    manifestHooks: [withOperandPlaceholders(spec), withServingInfo()],
    objectHooks: [
      withObservedProxy(),
      ...(caBundle === undefined ? [] : [withCaBundle(caBundle)]),
      ...(configMaps === undefined ? [] : [withDependencies(configMaps)]),
      ...(secrets === undefined ? [] : [withDependencies(secrets)]),
      ...hooks,
      withNodeRollout(),
      withForcedRollout(),
    ],
  };
}

/**
 * What the Deployment of a driver's operator goes through, as the cluster's storage operator makes it. Its own hooks come last. Beside a
 * hosted control plane too the proxy is that of the guest, which HyperShift has from the HostedControlPlane.
 */
export function operatorHooks<T extends OperatorResource>(
  spec: Omit<ControllerHooksSpec<T>, "secrets">,
): HookSet<Deployment, T> {
  const { facts, hosted, hooks = [] } = spec;
  return {
    manifestHooks: [withOperandPlaceholders(spec)],
    objectHooks: [
      withObservedProxy(storageProxyPath),
      ...(hosted === undefined ? [withControlPlaneTopology(facts)] : hostedPlaceHooks(facts, hosted)),
      ...hooks,
      withForcedRollout(),
    ],
  };
}
