import {
  compareResourceVersions,
  type DiscoveredResource,
  type HandlerRegistration,
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
  /** What we have just written, which the copies may not have for a moment; undefined for what we have deleted. */
  note?(type: ResourceType, ref: ObjectRef, written: KubernetesObject | undefined): void;
}

export interface LocalSource {
  readonly informer: Pick<Informer<KubernetesObject>, "type" | "objects" | "hasSynced"> &
    Partial<Pick<Informer<KubernetesObject>, "addHandler">>;
  /** For an informer that follows a part of its resource, such as one namespace. */
  readonly covers?: (ref: ObjectRef) => boolean;
}

/** A watch that takes longer is broken, and then nothing is known. */
const OWN_WRITES_LAST_MS = 5_000;

export function localCopies(sources: readonly LocalSource[], nowMs = () => performance.now()): LocalCopies {
  const own = new Map<string, { readonly object: KubernetesObject; readonly atMs: number }>();
  const nameOf = (type: ResourceType, ref: ObjectRef) => `${type.group}/${type.plural}/${keyOf(ref)}`;
  const sourcesOf = (type: ResourceType, ref: ObjectRef) =>
    sources.filter(
      ({ informer, covers = () => true }) =>
        informer.type.group === type.group && informer.type.plural === type.plural && informer.hasSynced && covers(ref),
    );
  return {
    covers: (type, ref) => sourcesOf(type, ref).length > 0,
    find(type, ref) {
      const local = sourcesOf(type, ref)[0]?.informer.objects.get(ref);
      const name = nameOf(type, ref);
      const written = own.get(name);
      if (written === undefined) return local;
      if (nowMs() - written.atMs < OWN_WRITES_LAST_MS && isNewer(written.object, local)) return written.object;
      own.delete(name);
      return local;
    },
    note(type, ref, object) {
      const name = nameOf(type, ref);
      own.delete(name);
      const informer = sourcesOf(type, ref)[0]?.informer;
      if (object === undefined || !informer?.addHandler || !isNewer(object, informer.objects.get(ref))) return;
      // Until the watch tells of it; from then on the copy knows better, also when the object is gone again.
      let registration: HandlerRegistration | undefined;
      registration = informer.addHandler({
        onKey(key) {
          if (key !== keyOf(ref)) return;
          own.delete(name);
          registration?.remove();
        },
      });
      own.set(name, { object, atMs: nowMs() });
    },
  };
}

/** Of another uid, what the copies have is what came after. */
function isNewer(written: KubernetesObject, local: KubernetesObject | undefined): boolean {
  if (local === undefined) return true;
  if (local.metadata.uid !== written.metadata.uid) return false;
  const order = compareResourceVersions(written.metadata.resourceVersion ?? "", local.metadata.resourceVersion ?? "");
  return order !== undefined && order > 0;
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
