import type { Kubeconfig } from "./kubeconfig.ts";

/**
 * Merges as kubectl does: the first file that has an entry, or a current-context, wins. Entries are taken whole: a second
 * user of the same name adds nothing to the first.
 */
export function mergeKubeconfigs(configs: readonly Kubeconfig[]): Kubeconfig {
  const currentContext = configs.find((config) => config.currentContext !== undefined)?.currentContext;
  return {
    currentContext,
    clusters: mergeEntries(configs.map((config) => config.clusters)),
    users: mergeEntries(configs.map((config) => config.users)),
    contexts: mergeEntries(configs.map((config) => config.contexts)),
  };
}

function mergeEntries<T>(maps: readonly ReadonlyMap<string, T>[]): ReadonlyMap<string, T> {
  const merged = new Map<string, T>();
  for (const [name, entry] of maps.flatMap((entries) => [...entries])) {
    if (!merged.has(name)) {
      merged.set(name, entry);
    }
  }
  return merged;
}
