import type { KubernetesObject } from "@stowage/machinery";

/** `namespace/name`, or the name alone for objects of the whole cluster: what caches and queues go by. */
export function objectKey(object: Pick<KubernetesObject, "metadata">): string {
  const { namespace, name } = object.metadata;
  return keyOf({ namespace, name: name ?? "" });
}

export function keyOf(ref: { readonly namespace?: string; readonly name: string }): string {
  return ref.namespace ? `${ref.namespace}/${ref.name}` : ref.name;
}

export function refOfKey(key: string): { namespace?: string; name: string } {
  const slash = key.indexOf("/");
  return slash < 0 ? { name: key } : { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}
