import type { NewObject } from "@stowage/kube";
import { type ConfigMap, configMaps, type KubernetesObject, type OwnerReference, type Pod } from "@stowage/machinery";
import type { Scene } from "./scenario.ts";

/** A reference to the object as one of the owners, but not as the controller. */
export function ownedBy(owner: KubernetesObject, more: Partial<OwnerReference> = {}): OwnerReference {
  const { apiVersion, kind, metadata } = owner;
  return { apiVersion, kind, name: metadata.name ?? "", uid: metadata.uid ?? "", ...more };
}

export interface MapShape {
  readonly owners?: OwnerReference[];
  readonly finalizers?: string[];
}

/** An object that no controller minds, for all that happens to objects of any kind. */
export function map(name: string, { owners, finalizers }: MapShape = {}): NewObject<ConfigMap> {
  return { metadata: { name, ownerReferences: owners, finalizers } };
}

/**
 * Keeps what was seen in between as an object, which is compared with the rest in the end: the scenario can go on and leave nothing
 * behind.
 */
export async function note(scene: Scene, name: string, seen: unknown): Promise<void> {
  await scene.create(configMaps, { metadata: { name: `note-${name}` }, data: { seen: JSON.stringify(seen) } });
}

export function pod(name: string, more: Partial<NonNullable<Pod["spec"]>> = {}): NewObject<Pod> {
  return {
    metadata: { name, labels: { app: name } },
    spec: { schedulerName: "nobody", containers: [{ name: "main", image: "example.org/main:1" }], ...more },
  };
}
