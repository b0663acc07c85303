import { type Informer, keyOf } from "@stowage/kube";
import type { KubernetesObject, OwnerReference } from "@stowage/machinery";

/** The one owner that manages the object; there is at most one. */
export function controllerOf(object: KubernetesObject): OwnerReference | undefined {
  return object.metadata.ownerReferences?.find(({ controller }) => controller === true);
}

/** What makes the owner the controller of what it creates. Its deletion waits for those that ask for it. */
export function controllerReference({ apiVersion, kind, metadata }: KubernetesObject): OwnerReference {
  const { name = "", uid = "" } = metadata;
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true };
}

export function isControlledBy(object: KubernetesObject, owner: KubernetesObject): boolean {
  return controllerOf(object)?.uid === owner.metadata.uid;
}

/** The owner as the copies have it, if it is of this kind and still the same object. */
export function ownerOf<T extends KubernetesObject>(object: KubernetesObject, owners: Informer<T>): T | undefined {
  const reference = controllerOf(object);
  if (reference === undefined || reference.kind !== owners.type.kind) return undefined;
  const owner = owners.objects.getByKey(keyOf({ namespace: object.metadata.namespace, name: reference.name }));
  return owner?.metadata.uid === reference.uid ? owner : undefined;
}

/** The index of objects by the uid of their controller; those without one by their namespace. */
const byController = {
  name: "controllers/controller",
  valuesOf: (object: KubernetesObject): readonly string[] => [
    controllerOf(object)?.uid ?? orphansOf(object.metadata.namespace),
  ],
} as const;

const orphansOf = (namespace: string | undefined) => `orphans of ${namespace ?? ""}`;

export function indexByController(informer: Informer<KubernetesObject>): void {
  informer.addIndex(byController.name, byController.valuesOf);
}

/** All that the owner controls. The informer has to be indexed. */
export function controlledBy<T extends KubernetesObject>(informer: Informer<T>, owner: KubernetesObject): T[] {
  return informer.objects.byIndex(byController.name, owner.metadata.uid ?? "");
}

/** What the owner controls or may adopt. */
export function claimable<T extends KubernetesObject>(informer: Informer<T>, owner: KubernetesObject): T[] {
  const orphans = informer.objects.byIndex(byController.name, orphansOf(owner.metadata.namespace));
  return [...controlledBy(informer, owner), ...orphans];
}
