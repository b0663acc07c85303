import type { ObjectReference, Pod } from "@stowage/machinery";

/** A container of a Pod, as events point at it. */
export function containerReference(pod: Pod, container: string): ObjectReference {
  const { name, namespace, uid, resourceVersion } = pod.metadata;
  const list = listOf(pod, container);
  const fieldPath = `spec.${list}{${container}}`;
  return { apiVersion: "v1", kind: "Pod", name, namespace, uid, resourceVersion, fieldPath };
}

function listOf({ spec }: Pod, wanted: string): string {
  const isIn = (list: readonly { readonly name: string }[] = []) => list.some(({ name }) => name === wanted);
  if (isIn(spec?.initContainers)) return "initContainers";
  return isIn(spec?.ephemeralContainers) ? "ephemeralContainers" : "containers";
}

/** `name_namespace(uid)`, as kubelet names a Pod in messages. */
export function podText({ metadata }: Pod): string {
  return `${metadata.name}_${metadata.namespace}(${metadata.uid})`;
}
