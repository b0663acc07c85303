/**
 * The typed client. In reading order: `kube-client.ts` (the seam), `create-client.ts` (the calls), `requester.ts` (turns, retries,
 * deadlines), `retry-policy.ts`, `response-body.ts` (what an answer means), `list.ts`, `watch.ts` with `watch-stream.ts`, and
 * `api-status-error.ts` with `predicates.ts` for when the server says no.
 */

export { type AdaptiveLimiterOptions, createAdaptiveLimiter } from "./adaptive-limiter.ts";
export { type ApiStatus, ApiStatusError } from "./api-status-error.ts";
export type {
  ApplyOptions,
  CallOptions,
  DeleteOptions,
  GetOptions,
  ListAllOptions,
  ListOptions,
  Patch,
  Selectors,
  WatchOptions,
  WriteOptions,
} from "./client-options.ts";
export { type ClientDeps, createClient } from "./create-client.ts";
export type { AppliedObject, DeleteResult, KubeClient, NewObject, ObjectList } from "./kube-client.ts";
export * from "./predicates.ts";
export { createTokenBucket, type RateLimiter, unlimited } from "./rate-limiter.ts";
export type { RequestObserver } from "./requester.ts";
export type { ObjectRef } from "./resource-path.ts";
export type { ObjectIdentity, WatchEvent, WatchEventType } from "./watch-event.ts";
