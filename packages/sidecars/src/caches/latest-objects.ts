import { compareResourceVersions, type Informer, keyOf, objectKey } from "@stowage/kube";
import type { KubernetesObject } from "@stowage/machinery";

/**
 * A cache that knows what this process itself has just written, which the watch brings only a moment later. Without it a key that
 * is synced again at once would be judged by an old version, and its writes be refused.
 */
export interface LatestObjects<T extends KubernetesObject> {
  get(ref: { readonly namespace?: string; readonly name: string }): T | undefined;
  getByKey(key: string): T | undefined;
  /** What a write answered; the same object, for the next step. Of what is not in the cache yet, say that it is new. */
  wrote(object: T, options?: { readonly isNew: boolean }): T;
}

export interface LatestOptions<T extends KubernetesObject> {
  /** Told of what is gone, as it was last: as this process wrote it, where the watch has not come that far. */
  onDelete?(last: T): void;
}

export function latestObjects<T extends KubernetesObject>(
  informer: Informer<T>,
  { onDelete }: LatestOptions<T> = {},
): LatestObjects<T> {
  const written = new Map<string, T>();
  const isOutdated = (key: string, mine: T) => {
    const seen = informer.objects.getByKey(key);
    return seen !== undefined && !isNewer(mine, seen);
  };
  const getByKey = (key: string): T | undefined => {
    const mine = written.get(key);
    if (mine === undefined) return informer.objects.getByKey(key);
    if (!isOutdated(key, mine)) return isGone(mine) ? undefined : mine;
    written.delete(key);
    return informer.objects.getByKey(key);
  };
  if (onDelete !== undefined) {
    // Ahead of the other handler, which forgets what was written.
    informer.addHandler({
      onDelete(seen) {
        const mine = written.get(objectKey(seen));
        onDelete(mine !== undefined && isNewer(mine, seen) ? mine : seen);
      },
    });
  }
  informer.addHandler({
    onKey(key) {
      const mine = written.get(key);
      // The watch tells of an object that is not there only when it was deleted.
      if (mine !== undefined && (informer.objects.getByKey(key) === undefined || isOutdated(key, mine))) {
        written.delete(key);
      }
    },
  });
  return {
    getByKey,
    get: (ref) => getByKey(keyOf(ref)),
    wrote(object, { isNew } = { isNew: false }) {
      const key = objectKey(object);
      // The watch may have told of its end before the answer came: then it would stay here for ever.
      const isThere = isNew || written.has(key) || informer.objects.getByKey(key) !== undefined;
      if (isThere && !isOutdated(key, object)) written.set(key, object);
      return object;
    },
  };
}

/** Who takes the last finalizer off an object that is being deleted is answered with what is no longer there. */
function isGone({ metadata }: KubernetesObject): boolean {
  return metadata.deletionTimestamp !== undefined && (metadata.finalizers ?? []).length === 0;
}

/** False where versions cannot be compared: then the watch is right. */
function isNewer(mine: KubernetesObject, seen: KubernetesObject): boolean {
  return (compareResourceVersions(versionOf(mine), versionOf(seen)) ?? 0) > 0;
}

function versionOf({ metadata }: KubernetesObject): string {
  return metadata.resourceVersion ?? "0";
}
