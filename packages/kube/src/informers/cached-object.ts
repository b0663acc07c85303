import { apiVersionOf, type KubernetesObject, type ResourceType } from "@stowage/machinery";

export type Transform<T extends KubernetesObject> = (object: T) => T;

/**
 * Makes of a decoded object the one that a cache keeps: without managedFields (more than half of a typical object), with its
 * type, laid out alike whether it came from a list or a watch, and frozen, since everybody who reads the cache shares it.
 */
export function createCacheEntry<T extends KubernetesObject>(
  type: ResourceType<T>,
  transform: Transform<T> | undefined,
): (decoded: T) => T {
  const apiVersion = apiVersionOf(type);
  const { kind } = type;
  return (decoded) => {
    const { apiVersion: _apiVersion, kind: _kind, metadata, ...rest } = decoded;
    const { managedFields: _managedFields, ...kept } = metadata;
    const trimmed = { apiVersion, kind, metadata: kept, ...rest } as unknown as T;
    return deepFreeze(transform === undefined ? trimmed : transform(trimmed));
  };
}

/** Written for speed: it runs for every event, and `for … in` alone would cost as much as all the rest. */
function deepFreeze<T extends object>(value: T): T {
  const children: unknown[] = Array.isArray(value) ? value : Object.values(value);
  for (let index = 0; index < children.length; index++) {
    const child = children[index];
    if (typeof child === "object" && child !== null) deepFreeze(child);
  }
  return Object.freeze(value);
}
