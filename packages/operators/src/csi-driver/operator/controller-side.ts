import type { Informer } from "@stowage/kube";
import {
  type ConfigMap,
  configMaps,
  type Deployment,
  deployments,
  type Secret,
  StowageError,
  secrets,
} from "@stowage/machinery";
import { type HostedControlPlaneSource, hostedControlPlaneSource } from "@stowage/operator";
import type { OperatorProgramDeps } from "../../program/index.ts";
import type { DriverProfile, DriverSources } from "../driver-profile.ts";

/** What is known of one namespace. */
export interface NamespaceCopies {
  readonly namespace: string;
  readonly secrets: Informer<Secret>;
  readonly configMaps: Informer<ConfigMap>;
}

/**
 * Where the driver's controller is: beside its nodes' Pods as a rule. With HyperShift it is in the management cluster, in the namespace
 * of the guest's control plane, where the operator is too; all else is in the guest.
 */
export interface ControllerSide extends NamespaceCopies, Pick<OperatorProgramDeps, "client" | "mapper"> {
  readonly deployments: Informer<Deployment>;
  /** For hooks: objects of this namespace, and the facts of the guest. */
  readonly sources: DriverSources;
  /** What the control plane asks of its Pods; undefined where it is the cluster's own. */
  readonly hosted?: HostedControlPlaneSource;
}

export interface ControllerSideInput {
  /** Where the nodes' Pods are. */
  readonly own: Omit<ControllerSide, "sources" | "hosted">;
  readonly sources: DriverSources;
  /** Secrets whose content is looked at. */
  readonly readable: ReadonlySet<string>;
}

export function controllerSide(
  { management, namespace }: Pick<OperatorProgramDeps, "management" | "namespace">,
  { own, sources, readable }: ControllerSideInput,
): ControllerSide {
  if (management === undefined) return { ...own, sources };
  const { client, mapper, informers } = management;
  const secretCopies = informers.informer(secrets, { namespace, transform: onlyNamed(readable) });
  const configMapCopies = informers.informer(configMaps, { namespace });
  return {
    client,
    mapper,
    namespace,
    secrets: secretCopies,
    configMaps: configMapCopies,
    deployments: informers.informer(deployments, { namespace }),
    sources: {
      ...sources,
      isHosted: true,
      secret: (name) => secretCopies.objects.get({ namespace, name }),
      configMap: (name) => configMapCopies.objects.get({ namespace, name }),
    },
    hosted: hostedControlPlaneSource({ mapper, informers }, namespace),
  };
}

/** Undefined: that of the nodes. */
export function controllerNamespaceOf({
  management,
  namespace,
}: Pick<OperatorProgramDeps, "management" | "namespace">): string | undefined {
  return management === undefined ? undefined : namespace;
}

export function checkHosted({ management }: Pick<OperatorProgramDeps, "management">, profile: DriverProfile): void {
  if (management === undefined || profile.hosted !== undefined) return;
  const why = "its controller has to be in the cluster that its nodes are in";
  throw new StowageError("DRIVER_NOT_HOSTED", `${profile.id} does not run beside a hosted control plane: ${why}`);
}

/** Other drivers may share the namespace. What is in their Secrets is none of our business, and is not kept. */
export function onlyNamed(names: ReadonlySet<string>) {
  return (secret: Secret): Secret => {
    if (names.has(secret.metadata.name ?? "")) return secret;
    const { apiVersion, kind, metadata } = secret;
    return { apiVersion, kind, metadata };
  };
}
