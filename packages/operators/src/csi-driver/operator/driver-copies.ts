import type { Informer } from "@stowage/kube";
import {
  type Clock,
  type ConfigMap,
  configMaps,
  type DaemonSet,
  type Deployment,
  daemonSets,
  deployments,
  type KubernetesObject,
  type Secret,
  secrets,
} from "@stowage/machinery";
import {
  type ClusterFactsSource,
  clusterFactsSource,
  featureGateSource,
  type OperatorWatch,
  watching,
} from "@stowage/operator";
import type { OperatorProgramDeps } from "../../program/index.ts";
import { controllerNamesOf } from "../controller-names.ts";
import type { DriverProfile, DriverSources, WatchedNames } from "../driver-profile.ts";
import { type ControllerSide, controllerSide, type NamespaceCopies, onlyNamed } from "./controller-side.ts";
import { isFipsHost } from "./fips-host.ts";

/** What is known of the driver's namespace without asking: one watch for each kind, however many objects matter. */
export interface DriverCopies {
  readonly facts: ClusterFactsSource;
  readonly secrets: Informer<Secret>;
  readonly configMaps: Informer<ConfigMap>;
  readonly deployments: Informer<Deployment>;
  readonly daemonSets: Informer<DaemonSet>;
  /** For hooks. */
  readonly sources: DriverSources;
  /** Of the controller, wherever that is. */
  readonly controller: ControllerSide;
  /** Of what hooks ask for, beside the facts: feature gates, where the driver has any. */
  readonly hookWatches: readonly OperatorWatch[];
}

type CopiesDeps = Pick<OperatorProgramDeps, "client" | "mapper" | "informers" | "env" | "management" | "namespace">;

export function driverCopies(
  deps: CopiesDeps,
  profile: DriverProfile,
  /** Secrets whose content is looked at beside those that Pods restart for. */
  furtherSecrets: readonly string[],
): DriverCopies {
  const { client, mapper, informers, env } = deps;
  const { namespace, controller, node, readsFeatureGates = false } = profile;
  const facts = clusterFactsSource({ client, mapper, informers });
  const readable = new Set([...controller.secrets, ...node.secrets, ...furtherSecrets]);
  const secretCopies = informers.informer(secrets, { namespace, transform: onlyNamed(readable) });
  const configMapCopies = informers.informer(configMaps, { namespace });
  const deploymentCopies = informers.informer(deployments, { namespace });
  const gates = readsFeatureGates ? featureGateSource({ mapper, informers }, env["OPERATOR_IMAGE_VERSION"]) : undefined;
  const sources: DriverSources = {
    facts,
    secret: (name) => secretCopies.objects.get({ namespace, name }),
    configMap: (name) => configMapCopies.objects.get({ namespace, name }),
    isFipsHost: isFipsHost(),
    ...(gates && { enabledGates: (signal) => gates.enabled(signal) }),
  };
  return {
    facts,
    secrets: secretCopies,
    configMaps: configMapCopies,
    deployments: deploymentCopies,
    daemonSets: informers.informer(daemonSets, { namespace }),
    sources,
    controller: controllerSide(deps, {
      own: {
        client,
        mapper,
        namespace,
        secrets: secretCopies,
        configMaps: configMapCopies,
        deployments: deploymentCopies,
      },
      sources,
      readable: new Set([...readable, ...controllerNamesOf(profile, true).secrets]),
    }),
    hookWatches: gates === undefined ? [] : [gates],
  };
}

/** How long a watch takes at most to tell of what was just made. What somebody else makes may come at any time. */
const KNOWN_WITHIN_MS = 500;

/** Objects of a namespace, and what is known of it. */
export interface KnownNames extends NamespaceCopies {
  readonly names: WatchedNames;
}

/** Resolves when the copies have all of these, or after a moment. */
export async function whenKnown(
  wanted: readonly KnownNames[],
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<void> {
  const known = new AbortController();
  const hasAll = ({ namespace, names, ...copies }: KnownNames) =>
    names.secrets.every((name) => copies.secrets.objects.get({ namespace, name }) !== undefined) &&
    names.configMaps.every((name) => copies.configMaps.objects.get({ namespace, name }) !== undefined);
  const look = () => {
    if (wanted.every(hasAll)) known.abort();
  };
  const informers = wanted.flatMap(({ secrets: ofSecrets, configMaps: ofConfigMaps }) => [ofSecrets, ofConfigMaps]);
  const registrations = informers.map((informer) => informer.addHandler({ onKey: look }));
  look();
  await clock.sleep(KNOWN_WITHIN_MS, AbortSignal.any([known.signal, signal])).catch(() => {});
  for (const registration of registrations) registration.remove();
}

/** Changes of these alone. */
export function watchingNames(
  { secrets: secretCopies, configMaps: configMapCopies }: Pick<NamespaceCopies, "secrets" | "configMaps">,
  names: WatchedNames,
) {
  const watches: OperatorWatch[] = [];
  if (names.secrets.length > 0) watches.push(watching(secretCopies, { matches: isNamed(names.secrets) }));
  if (names.configMaps.length > 0) watches.push(watching(configMapCopies, { matches: isNamed(names.configMaps) }));
  return watches;
}

function isNamed(names: readonly string[]): (object: Pick<KubernetesObject, "metadata">) => boolean {
  const wanted = new Set(names);
  return ({ metadata }) => wanted.has(metadata.name ?? "");
}
