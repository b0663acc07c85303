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
import { type ClusterFactsSource, clusterFactsSource, type OperatorWatch, watching } from "@stowage/operator";
import type { OperatorProgramDeps } from "../../program/index.ts";
import type { DriverProfile, DriverSources, WatchedNames } from "../driver-profile.ts";

/** What is known of the driver's namespace without asking: one watch for each kind, however many objects matter. */
export interface DriverCopies {
  readonly facts: ClusterFactsSource;
  readonly secrets: Informer<Secret>;
  readonly configMaps: Informer<ConfigMap>;
  readonly deployments: Informer<Deployment>;
  readonly daemonSets: Informer<DaemonSet>;
  /** For hooks. */
  readonly sources: DriverSources;
}

export function driverCopies(
  { client, mapper, informers }: Pick<OperatorProgramDeps, "client" | "mapper" | "informers">,
  { namespace, controller, node }: DriverProfile,
  /** Secrets whose content is looked at beside those that Pods restart for. */
  furtherSecrets: readonly string[],
): DriverCopies {
  const facts = clusterFactsSource({ client, mapper, informers });
  const readable = new Set([...controller.secrets, ...node.secrets, ...furtherSecrets]);
  const secretCopies = informers.informer(secrets, { namespace, transform: onlyNamed(readable) });
  const configMapCopies = informers.informer(configMaps, { namespace });
  return {
    facts,
    secrets: secretCopies,
    configMaps: configMapCopies,
    deployments: informers.informer(deployments, { namespace }),
    daemonSets: informers.informer(daemonSets, { namespace }),
    sources: {
      facts,
      secret: (name) => secretCopies.objects.get({ namespace, name }),
      configMap: (name) => configMapCopies.objects.get({ namespace, name }),
    },
  };
}

/** Other drivers may share the namespace. What is in their Secrets is none of our business, and is not kept. */
function onlyNamed(names: ReadonlySet<string>) {
  return (secret: Secret): Secret => {
    if (names.has(secret.metadata.name ?? "")) return secret;
    const { apiVersion, kind, metadata } = secret;
    return { apiVersion, kind, metadata };
  };
}

/** How long a watch takes at most to tell of what was just made. What somebody else makes may come at any time. */
const KNOWN_WITHIN_MS = 500;

/** Resolves when the copies have all of these, or after a moment. */
export async function whenKnown(
  { secrets: secretCopies, configMaps: configMapCopies }: DriverCopies,
  { names, namespace }: { readonly names: WatchedNames; readonly namespace: string },
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<void> {
  const known = new AbortController();
  const hasAll = (informer: Informer<Secret> | Informer<ConfigMap>, wanted: readonly string[]) =>
    wanted.every((name) => informer.objects.get({ namespace, name }) !== undefined);
  const look = () => {
    if (hasAll(secretCopies, names.secrets) && hasAll(configMapCopies, names.configMaps)) known.abort();
  };
  const registrations = [secretCopies.addHandler({ onKey: look }), configMapCopies.addHandler({ onKey: look })];
  look();
  await clock.sleep(KNOWN_WITHIN_MS, AbortSignal.any([known.signal, signal])).catch(() => {});
  for (const registration of registrations) registration.remove();
}

/** Changes of these alone. */
export function watchingNames(
  { secrets: secretCopies, configMaps: configMapCopies }: DriverCopies,
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
