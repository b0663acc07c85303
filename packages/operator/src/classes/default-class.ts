import type { StorageClass } from "@stowage/machinery";

export const defaultClassAnnotation = "storageclass.kubernetes.io/is-default-class";

/**
 * The wanted class, with what is to be said of its being the default. An asset without the annotation does not care. Otherwise a
 * value that is there is the user's choice and stays, whatever it is; without one, the class becomes what the asset asks for,
 * unless another class is the default already.
 */
export function withDefaultRule(required: StorageClass, existing: readonly StorageClass[]): StorageClass {
  if (!defaultOf(required)) return required;
  const same = existing.find(({ metadata }) => metadata.name === required.metadata.name);
  const chosen = same && defaultOf(same);
  if (chosen !== undefined) return withDefault(required, chosen);
  const isOther = (each: StorageClass) => each !== same && isDefaultClass(each);
  return existing.some(isOther) ? withDefault(required, "false") : required;
}

export function defaultOf({ metadata }: StorageClass): string | undefined {
  return metadata.annotations?.[defaultClassAnnotation];
}

export function isDefaultClass(storageClass: StorageClass): boolean {
  return defaultOf(storageClass) === "true";
}

export function withDefault(storageClass: StorageClass, value: string): StorageClass {
  const { metadata } = storageClass;
  const annotations = { ...metadata.annotations, [defaultClassAnnotation]: value };
  return { ...storageClass, metadata: { ...metadata, annotations } };
}
