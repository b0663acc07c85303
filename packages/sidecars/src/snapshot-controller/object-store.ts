import {
  type Informer,
  isNotFound,
  type KubeClient,
  type NewObject,
  type ObjectReader,
  type Patch,
} from "@stowage/kube";
import type { KubernetesObject } from "@stowage/machinery";
import { type LatestObjects, latestObjects } from "../caches/index.ts";

/** By which the API server notes what this controller made. Another name would disown what was made before. */
export const FIELD_MANAGER = "stowage-snapshot-controller";

/** The objects of one resource: read from the cache, own writes included, and written by patches. */
export interface ObjectStore<T extends KubernetesObject> extends Omit<LatestObjects<T>, "wrote"> {
  /** Lists and indexes, without own writes. */
  readonly cached: ObjectReader<T>;
  /** As the API server has it. */
  find(ref: { readonly namespace?: string; readonly name: string }): Promise<T | undefined>;
  /**
   * Before something is done because there is none: as the cache has it, else as the API server does. The cache may be behind, and
   * what it does not know may exist all the same, made by a request whose answer was lost or by a process that has ended.
   */
  look(ref: { readonly namespace?: string; readonly name: string }): Promise<Looked<T>>;
  create(object: NewObject<T>): Promise<T>;
  /** Refused when the object is not as it was judged by. For lists such as finalizers, which a patch replaces. */
  edit(object: T, change: { readonly metadata?: object; readonly spec?: object }): Promise<T>;
  editStatus(object: T, status: object): Promise<T>;
  patch(object: T, patch: Patch): Promise<T>;
  /** As a whole; refused when somebody else has written meanwhile. For claims, which roles made for the original let nobody patch. */
  update(object: T): Promise<T>;
  /** Of this very object, not of another by its name; that it is gone already is fine. */
  delete(object: T): Promise<void>;
}

export interface Looked<T> {
  readonly object: T | undefined;
  /** Otherwise nobody may tell of its end: the watch need not have told of its beginning. */
  readonly isWatched: boolean;
}

export function objectStore<T extends KubernetesObject>(
  client: Pick<KubeClient, "find" | "create" | "update" | "patch" | "delete">,
  informer: Informer<T>,
): ObjectStore<T> {
  const { type, objects: cached } = informer;
  const latest = latestObjects(informer);
  const refOf = ({ metadata }: T) => ({ name: metadata.name ?? "", namespace: metadata.namespace });
  const patch = async (object: T, change: Patch, subresource?: string) =>
    latest.wrote(await client.patch(type, refOf(object), change, { subresource }));
  return {
    cached,
    get: latest.get,
    getByKey: latest.getByKey,
    async look(ref) {
      const isWatched = cached.get(ref) !== undefined;
      return { isWatched, object: isWatched ? latest.get(ref) : await client.find(type, ref) };
    },
    find: (ref) => client.find(type, ref),
    create: async (object) =>
      latest.wrote(await client.create(type, object, { fieldManager: FIELD_MANAGER }), { isNew: true }),
    patch: (object, change) => patch(object, change),
    update: async (object) => latest.wrote(await client.update(type, object)),
    edit: (object, { metadata, ...change }) =>
      patch(object, {
        type: "merge",
        patch: { ...change, metadata: { ...metadata, resourceVersion: object.metadata.resourceVersion } },
      }),
    editStatus: (object, status) =>
      patch(object, { type: "merge", patch: { metadata: { uid: object.metadata.uid }, status } }, "status"),
    async delete(object) {
      const { uid } = object.metadata;
      try {
        const result = await client.delete(type, refOf(object), { preconditions: { uid } });
        if (!result.gone) latest.wrote(result.object);
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
    },
  };
}
