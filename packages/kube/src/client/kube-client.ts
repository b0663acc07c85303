import type { KubernetesObject, ResourceType } from "@stowage/machinery";
import type {
  ApplyOptions,
  CallOptions,
  DeleteOptions,
  GetOptions,
  ListAllOptions,
  ListOptions,
  Patch,
  WatchOptions,
  WriteOptions,
} from "./client-options.ts";
import type { ObjectRef } from "./resource-path.ts";
import type { WatchEvent } from "./watch-event.ts";

export interface ObjectList<T> {
  readonly items: T[];
  readonly resourceVersion: string;
  /** Set when there is more: pass it as `continue`. */
  readonly continue?: string;
  readonly remainingItemCount?: number;
}

/** What a delete answers: the object while it lingers on its finalizers, or a Status once it is gone. */
export type DeleteResult<T> = { readonly gone: true } | { readonly gone: false; readonly object: T };

/**
 * The seam to a Kubernetes API. Objects that come back always carry apiVersion and kind, also from lists. Failures are
 * `ApiStatusError` when the server said no (see the predicates) and another `StowageError` when it could not be asked.
 */
export interface KubeClient {
  /** `https://host:6443`, for messages. */
  readonly server: string;
  /** Of the kubeconfig's context, or of the Pod. */
  readonly defaultNamespace: string;

  get<T extends KubernetesObject>(type: ResourceType<T>, ref: ObjectRef, options?: GetOptions): Promise<T>;
  /** As `get`, with undefined in place of a not-found error. */
  find<T extends KubernetesObject>(type: ResourceType<T>, ref: ObjectRef, options?: GetOptions): Promise<T | undefined>;
  /** One answer: everything, or one page when `limit` is given. */
  list<T extends KubernetesObject>(type: ResourceType<T>, options?: ListOptions): Promise<ObjectList<T>>;
  /** Page by page, `limit` objects each, all of one version. */
  listPages<T extends KubernetesObject>(type: ResourceType<T>, options?: ListOptions): AsyncIterable<ObjectList<T>>;
  /** Everything, fetched in pages; in one answer when the server forgets the version while it is being paged. */
  listAll<T extends KubernetesObject>(type: ResourceType<T>, options?: ListAllOptions<T>): Promise<ObjectList<T>>;
  /**
   * One watch connection. Resolves when the server ends it, rejects when it breaks or the server reports an error; events are
   * handed over in order, synchronously. For a watch that goes on, use an informer.
   */
  watch<T extends KubernetesObject>(
    type: ResourceType<T>,
    options: WatchOptions<T>,
    onEvent: (event: WatchEvent<T>) => void,
  ): Promise<void>;

  create<T extends KubernetesObject>(type: ResourceType<T>, object: NewObject<T>, options?: WriteOptions): Promise<T>;
  update<T extends KubernetesObject>(type: ResourceType<T>, object: T, options?: WriteOptions): Promise<T>;
  patch<T extends KubernetesObject>(
    type: ResourceType<T>,
    ref: ObjectRef,
    patch: Patch,
    options?: WriteOptions,
  ): Promise<T>;
  /** Server-side apply: the object holds the fields that the manager wants to own, and no others. */
  apply<T extends KubernetesObject>(type: ResourceType<T>, object: AppliedObject<T>, options: ApplyOptions): Promise<T>;
  delete<T extends KubernetesObject>(
    type: ResourceType<T>,
    ref: ObjectRef,
    options?: DeleteOptions,
  ): Promise<DeleteResult<T>>;
  deleteCollection<T extends KubernetesObject>(
    type: ResourceType<T>,
    options: DeleteOptions & Pick<ListOptions, "namespace" | "labelSelector" | "fieldSelector">,
  ): Promise<void>;

  /** Reads a subresource whose type is not the object's: `scale`. */
  getSubresource<S>(type: ResourceType, ref: ObjectRef & { subresource: string }, options?: CallOptions): Promise<S>;
  /** Posts to a subresource: `token`, `eviction`, `binding`. */
  createSubresource<S>(
    type: ResourceType,
    ref: ObjectRef & { subresource: string },
    body: object,
    options?: WriteOptions,
  ): Promise<S>;
  /** Any other path of the server that answers with JSON: `/version`, `/apis`. */
  getPath<S>(path: string, options?: CallOptions & { readonly accept?: string }): Promise<S>;
}

/** To create an object, a name or a prefix for one is enough; apiVersion and kind come from the resource type. */
export type NewObject<T extends KubernetesObject> = Omit<T, "apiVersion" | "kind"> & {
  readonly apiVersion?: T["apiVersion"];
  readonly kind?: T["kind"];
};

export type AppliedObject<T extends KubernetesObject> = DeepPartial<Omit<T, "metadata">> & {
  readonly metadata: T["metadata"] & { readonly name: string };
};

type DeepPartial<T> = T extends readonly (infer Item)[]
  ? readonly DeepPartial<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]?: DeepPartial<T[Key]> }
    : T;
