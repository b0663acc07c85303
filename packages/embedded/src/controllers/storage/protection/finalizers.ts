import type { KubernetesObject } from "@stowage/machinery";

/** Somebody wants it gone, and this finalizer is in the way. */
export function isHeldBack({ metadata }: KubernetesObject, finalizer: string): boolean {
  return metadata.deletionTimestamp !== undefined && (metadata.finalizers ?? []).includes(finalizer);
}

/** Admission adds it to what is created; this is for what was there before. */
function isUnprotected({ metadata }: KubernetesObject, finalizer: string): boolean {
  return metadata.deletionTimestamp === undefined && !(metadata.finalizers ?? []).includes(finalizer);
}

/** Whether the finalizer asks for anything to be looked at. */
export function concerns(object: KubernetesObject, finalizer: string): boolean {
  return isHeldBack(object, finalizer) || isUnprotected(object, finalizer);
}

/** The object as it is to be written; undefined when it is to stay as it is. */
export function protectedObject<T extends KubernetesObject>(
  object: T,
  finalizer: string,
  isUsed: boolean,
): T | undefined {
  const { metadata } = object;
  const finalizers = metadata.finalizers ?? [];
  if (isUnprotected(object, finalizer)) {
    return { ...object, metadata: { ...metadata, finalizers: [...finalizers, finalizer] } };
  }
  if (isUsed || !isHeldBack(object, finalizer)) return undefined;
  return { ...object, metadata: { ...metadata, finalizers: finalizers.filter((each) => each !== finalizer) } };
}
