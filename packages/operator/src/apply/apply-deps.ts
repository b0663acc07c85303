import {
  type DiscoveredResource,
  type Informer,
  type KubeClient,
  keyOf,
  type ObjectRef,
  type RestMapper,
} from "@stowage/kube";
import type { KubernetesObject, ResourceType } from "@stowage/machinery";
import type { OperatorEvents } from "../operator-client/operator-events.ts";
import { groupOf } from "./loose-object.ts";

export interface ApplyDeps {
  readonly client: Pick<KubeClient, "find" | "create" | "update" | "delete">;
  /** From kinds to resources; also tells what this cluster does not have. */
  readonly mapper: Pick<RestMapper, "resourceFor"> & Partial<Pick<RestMapper, "invalidate">>;
  readonly events: OperatorEvents;
  /** See `localCopies`. */
  readonly local?: LocalCopies;
  /** What was there when last looked at, kept by the caller between calls: such objects are read first, others created first. */
  readonly known?: Set<string>;
}

/** What is known of the server's objects without asking. */
export interface LocalCopies {
  /** Whether the copies would have the object if it existed. */
  covers(type: ResourceType, ref: ObjectRef): boolean;
  find(type: ResourceType, ref: ObjectRef): KubernetesObject | undefined;
}

export interface LocalSource {
  readonly informer: Pick<Informer<KubernetesObject>, "type" | "objects" | "hasSynced">;
  /** For an informer that follows a part of its resource, such as one namespace. */
  readonly covers?: (ref: ObjectRef) => boolean;
}

export function localCopies(sources: readonly LocalSource[]): LocalCopies {
  const sourcesOf = (type: ResourceType, ref: ObjectRef) =>
    sources.filter(
      ({ informer, covers = () => true }) =>
        informer.type.group === type.group && informer.type.plural === type.plural && informer.hasSynced && covers(ref),
    );
  return {
    covers: (type, ref) => sourcesOf(type, ref).length > 0,
    find: (type, ref) => sourcesOf(type, ref)[0]?.informer.objects.get(ref),
  };
}

/** An object that is to be looked at, with its resource. */
export interface Target {
  readonly type: DiscoveredResource;
  readonly ref: ObjectRef;
  readonly key: string;
}

export async function targetOf(deps: Pick<ApplyDeps, "mapper">, object: KubernetesObject): Promise<Target> {
  const version = object.apiVersion.slice(object.apiVersion.indexOf("/") + 1);
  const type = await deps.mapper.resourceFor({ group: groupOf(object), version, kind: object.kind });
  const { name = "", namespace } = object.metadata;
  const ref = type.namespaced ? { name, namespace } : { name };
  return { type, ref, key: `${type.group}/${type.plural}/${keyOf(ref)}` };
}
