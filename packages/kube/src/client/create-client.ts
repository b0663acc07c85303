import {
  apiVersionOf,
  type Clock,
  type KubernetesObject,
  type Logger,
  type ResourceType,
  StowageError,
  silentLogger,
  systemClock,
} from "@stowage/machinery";
import type { Transport } from "../transport/transport.ts";
import {
  type CallOptions,
  type DeleteOptions,
  PATCH_CONTENT_TYPES,
  type Patch,
  type WriteOptions,
} from "./client-options.ts";
import type { DeleteResult, KubeClient } from "./kube-client.ts";
import { listAll, listObjects, listPages } from "./list.ts";
import { acceptOf } from "./metadata-accept.ts";
import { isNotFound } from "./predicates.ts";
import { createTokenBucket, type RateLimiter, unlimited } from "./rate-limiter.ts";
import { createRequester, type Requester, type RequestObserver } from "./requester.ts";
import { type ObjectRef, queryString, resourcePath } from "./resource-path.ts";
import { watchObjects } from "./watch.ts";

const DEFAULT_TIMEOUT_MS = 60_000;

export interface ClientDeps {
  readonly transport: Transport;
  readonly defaultNamespace?: string;
  readonly clock?: Clock;
  readonly logger?: Logger;
  readonly observer?: RequestObserver;
  /** Requests a second and at once; without it the server's own fairness is the only limit. */
  readonly rateLimit?: { readonly qps: number; readonly burst: number } | RateLimiter;
  /** For a call that does not say. */
  readonly timeoutMs?: number;
}

export function createClient(deps: ClientDeps): KubeClient {
  const clock = deps.clock ?? systemClock;
  const requester = createRequester({
    transport: deps.transport,
    rateLimiter: rateLimiterOf(deps.rateLimit, clock),
    clock,
    logger: deps.logger ?? silentLogger,
    observer: deps.observer,
    timeoutMs: deps.timeoutMs ?? DEFAULT_TIMEOUT_MS,
  });
  return {
    server: deps.transport.server,
    defaultNamespace: deps.defaultNamespace ?? "default",
    ...readCalls(requester),
    ...writeCalls(requester),
    ...deleteCalls(requester),
    ...subresourceCalls(requester),
  };
}

function rateLimiterOf(limit: ClientDeps["rateLimit"], clock: Clock): RateLimiter {
  if (limit === undefined) return unlimited;
  return "acquire" in limit ? limit : createTokenBucket({ ...limit, clock });
}

function readCalls(
  requester: Requester,
): Pick<KubeClient, "get" | "find" | "list" | "listPages" | "listAll" | "watch"> {
  const get: KubeClient["get"] = async (type, ref, options = {}) =>
    withType(
      type,
      await requester.json({
        method: "GET",
        path: resourcePath(type, ref) + queryString({ resourceVersion: options.resourceVersion }),
        accept: acceptOf(type),
        ...callOptions(options),
      }),
    );
  return {
    get,
    find: async (type, ref, options) => {
      try {
        return await get(type, ref, options);
      } catch (error) {
        if (isNotFound(error)) return undefined;
        throw error;
      }
    },
    list: (type, options = {}) => listObjects(requester, type, options),
    listPages: (type, options = {}) => listPages(requester, type, options),
    listAll: (type, options = {}) => listAll(requester, type, options),
    watch: (type, options, onEvent) => watchObjects(requester, type, options, onEvent),
  };
}

function writeCalls(requester: Requester): Pick<KubeClient, "create" | "update" | "patch" | "apply"> {
  return {
    create: (type, object, options = {}) =>
      requester.json({
        method: "POST",
        path: resourcePath(type, { namespace: object.metadata.namespace }) + writeQuery(options),
        body: withType(type, object),
        ...callOptions(options),
      }),
    update: (type, object, options = {}) =>
      requester.json({
        method: "PUT",
        path: pathOfObject(type, object, options) + writeQuery(options),
        body: withType(type, object),
        ...callOptions(options),
      }),
    patch: async <T extends KubernetesObject>(
      type: ResourceType<T>,
      ref: ObjectRef,
      patch: Patch,
      options: WriteOptions = {},
    ): Promise<T> => {
      const answer = await requester.json<T>({
        method: "PATCH",
        path: resourcePath(type, { ...ref, subresource: options.subresource }) + writeQuery(options),
        body: patch.patch,
        contentType: PATCH_CONTENT_TYPES[patch.type],
        accept: acceptOf(type),
        ...callOptions(options),
      });
      return type.metadataOnly ? withType(type, answer) : answer;
    },
    apply: (type, object, options) =>
      requester.json({
        method: "PATCH",
        path: pathOfObject(type, object, options) + writeQuery(options, { force: options.force ?? false }),
        body: withType(type, object),
        contentType: PATCH_CONTENT_TYPES.apply,
        ...callOptions(options),
      }),
  };
}

function deleteCalls(requester: Requester): Pick<KubeClient, "delete" | "deleteCollection"> {
  return {
    delete: async <T extends KubernetesObject>(
      type: ResourceType<T>,
      ref: { namespace?: string; name: string },
      options: DeleteOptions = {},
    ): Promise<DeleteResult<T>> => {
      const answer = await requester.json<{ kind: string }>({
        method: "DELETE",
        path: resourcePath(type, ref),
        body: deleteBody(options),
        ...callOptions(options),
      });
      if (answer.kind === "Status") return { gone: true };
      const object = answer as unknown as T;
      // Of some kinds the server answers with the object also when it is gone; one that lingers says since when.
      return object.metadata.deletionTimestamp === undefined ? { gone: true } : { gone: false, object };
    },
    deleteCollection: async (type, options) => {
      const { namespace, labelSelector, fieldSelector } = options;
      await requester.json({
        method: "DELETE",
        path: resourcePath(type, { namespace }) + queryString({ labelSelector, fieldSelector }),
        body: deleteBody(options),
        ...callOptions(options),
      });
    },
  };
}

function subresourceCalls(requester: Requester): Pick<KubeClient, "getSubresource" | "createSubresource" | "getPath"> {
  return {
    getSubresource: (type, ref, options = {}) =>
      requester.json({ method: "GET", path: resourcePath(type, ref), ...callOptions(options) }),
    createSubresource: (type, ref, body, options = {}) =>
      requester.json({
        method: "POST",
        path: resourcePath(type, ref) + writeQuery({ ...options, subresource: undefined }),
        body,
        ...callOptions(options),
      }),
    getPath: (path, options = {}) =>
      requester.json({ method: "GET", path, accept: options.accept, ...callOptions(options) }),
  };
}

function callOptions(options: CallOptions): CallOptions {
  return { signal: options.signal, timeoutMs: options.timeoutMs, retry: options.retry };
}

function writeQuery(options: WriteOptions, more: { force?: boolean } = {}): string {
  const { fieldManager, fieldValidation } = options;
  return queryString({ fieldManager, fieldValidation, dryRun: options.dryRun ? "All" : undefined, ...more });
}

function deleteBody(options: DeleteOptions): object {
  return {
    apiVersion: "v1",
    kind: "DeleteOptions",
    dryRun: options.dryRun ? ["All"] : undefined,
    gracePeriodSeconds: options.gracePeriodSeconds,
    propagationPolicy: options.propagationPolicy,
    preconditions: options.preconditions,
  };
}

function withType<T extends object>(type: ResourceType, object: T): T {
  return { ...object, apiVersion: apiVersionOf(type), kind: type.kind };
}

function pathOfObject(
  type: ResourceType,
  object: { metadata: { name?: string; namespace?: string } },
  options: WriteOptions,
): string {
  const { name, namespace } = object.metadata;
  if (name === undefined) throw new StowageError("INVALID_REQUEST", `a ${type.kind} without a name cannot be written`);
  return resourcePath(type, { name, namespace, subresource: options.subresource });
}
