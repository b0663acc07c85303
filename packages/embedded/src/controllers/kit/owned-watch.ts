import { type Controller, type Informer, objectKey } from "@stowage/kube";
import { type KubernetesObject, type LabelSelector, labelMatcherFrom } from "@stowage/machinery";
import type { Expectations } from "./expectations.ts";
import { controllerOf, ownerOf } from "./owner-references.ts";

export interface OwnedWatch<Owner extends KubernetesObject, Owned extends KubernetesObject> {
  readonly controller: Controller;
  readonly owners: Informer<Owner>;
  readonly owned: Informer<Owned>;
  readonly expectations?: Expectations;
  selectorOf(owner: Owner): LabelSelector | undefined;
}

/** A change of an object is news to its controller; one without a controller to those that may adopt it. */
export function watchOwned<Owner extends KubernetesObject, Owned extends KubernetesObject>(
  watch: OwnedWatch<Owner, Owned>,
): void {
  const { controller, owners, owned, expectations } = watch;
  if (expectations !== undefined) {
    // Before the queue hears of it, so that what is taken from it finds them met.
    noteSeen(owned, owners, expectations);
    owners.addHandler({ onDelete: (owner) => expectations.forget(objectKey(owner)) });
  }
  controller.watch(owned, (object) => {
    if (controllerOf(object) === undefined) return adopters(watch, object).map(objectKey);
    const owner = ownerOf(object, owners);
    return owner === undefined ? [] : [objectKey(owner)];
  });
}

function noteSeen<Owner extends KubernetesObject, Owned extends KubernetesObject>(
  owned: Informer<Owned>,
  owners: Informer<Owner>,
  expectations: Expectations,
): void {
  const note = (object: Owned, see: (key: string) => void) => {
    const owner = ownerOf(object, owners);
    if (owner !== undefined) see(objectKey(owner));
  };
  const seeDeletion = (object: Owned) =>
    note(object, (key) => expectations.deletionSeen(key, object.metadata.uid ?? ""));
  owned.addHandler({
    onAdd(object) {
      if (object.metadata.deletionTimestamp === undefined) note(object, (key) => expectations.creationSeen(key));
      else seeDeletion(object);
    },
    onUpdate(object) {
      if (object.metadata.deletionTimestamp !== undefined) seeDeletion(object);
    },
    onDelete: seeDeletion,
  });
}

function adopters<Owner extends KubernetesObject, Owned extends KubernetesObject>(
  { owners, selectorOf }: OwnedWatch<Owner, Owned>,
  object: Owned,
): Owner[] {
  const { labels = {}, namespace } = object.metadata;
  if (Object.keys(labels).length === 0) return [];
  return owners.objects
    .list()
    .filter((owner) => owner.metadata.namespace === namespace)
    .filter((owner) => labelMatcherFrom(selectorOf(owner)).matches(labels));
}
