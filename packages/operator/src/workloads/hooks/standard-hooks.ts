import type { ConfigMap, DaemonSet, Deployment, Secret } from "@stowage/machinery";
import { storageProxyPath } from "../../configuration/index.ts";
import type { OperatorResource } from "../../operator-client/index.ts";
import { withCaBundle } from "./ca-bundle.ts";
import { withDependencies } from "./dependencies.ts";
import type { Workload, WorkloadFacts, WorkloadHook, WorkloadManifestHook } from "./hook-context.ts";
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
  /** Of the driver. */
  readonly hooks?: readonly WorkloadHook<Deployment, T>[];
  /** Restart the Pods: the cloud's credentials, the certificate of the metrics. */
  readonly secrets?: () => readonly (Secret | undefined)[];
}

/** What every driver's controller Deployment goes through. The order is the originals': hooks are told by their index. */
export function controllerHooks<T extends OperatorResource>(spec: ControllerHooksSpec<T>): HookSet<Deployment, T> {
  const { facts, hooks = [], secrets } = spec;
  return {
    manifestHooks: [withOperandPlaceholders(spec), withServingInfo(), withLeaderElection()],
    objectHooks: [
      withControlPlaneTopology(facts),
      withObservedProxy(),
      withReplicas(facts),
      ...hooks,
      ...(secrets === undefined ? [] : [withDependencies(secrets)]),
    ],
  };
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
    ],
  };
}

/** What the Deployment of a driver's operator goes through, as the cluster's storage operator makes it. Its own hooks come last. */
export function operatorHooks<T extends OperatorResource>(
  spec: Omit<ControllerHooksSpec<T>, "secrets">,
): HookSet<Deployment, T> {
  const { facts, hooks = [] } = spec;
  return {
    manifestHooks: [withOperandPlaceholders(spec)],
    objectHooks: [withObservedProxy(storageProxyPath), withControlPlaneTopology(facts), ...hooks],
  };
}
