/** Accepted by every call. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  /** From the call to the whole answer, retries included. */
  readonly timeoutMs?: number;
  /** False: the first failure is the answer. Else a request is repeated where that is safe. */
  readonly retry?: boolean;
}

export interface Selectors {
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

export interface GetOptions extends CallOptions {
  /** "0" allows an answer from the server's cache. */
  readonly resourceVersion?: string;
}

export interface ListOptions extends CallOptions, Selectors {
  /** All namespaces when left out. */
  readonly namespace?: string;
  readonly limit?: number;
  readonly continue?: string;
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: "Exact" | "NotOlderThan";
}

export interface ListAllOptions<T> extends ListOptions {
  /** Makes of each object the one to keep, page by page, so that what is dropped is never held for all of them at once. */
  readonly keep?: (item: T) => T;
}

export interface WatchOptions<T> extends Selectors {
  readonly namespace?: string;
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: "NotOlderThan";
  readonly allowWatchBookmarks?: boolean;
  readonly sendInitialEvents?: boolean;
  /** The server ends the watch after this time. */
  readonly timeoutSeconds?: number;
  readonly signal?: AbortSignal;
  /** Called when the server has accepted the watch, before the first event. */
  readonly onOpen?: () => void;
  /**
   * Makes of each object the one to keep. With it, an object is decoded when it is read, if at all, and comes with an empty list
   * of managedFields.
   */
  readonly keep?: (decoded: T) => T;
}

export interface WriteOptions extends CallOptions {
  readonly fieldManager?: string;
  readonly fieldValidation?: "Ignore" | "Warn" | "Strict";
  readonly dryRun?: boolean;
  /** `status`, `scale`, … */
  readonly subresource?: string;
}

export interface ApplyOptions extends WriteOptions {
  readonly fieldManager: string;
  /** Take over fields that another manager owns. */
  readonly force?: boolean;
}

export interface DeleteOptions extends CallOptions {
  readonly dryRun?: boolean;
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: "Orphan" | "Background" | "Foreground";
  /** The server refuses with a conflict unless the object is this one, in this version. */
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
}

/** The three kinds of patch that the API takes beside apply. */
export type Patch =
  | { readonly type: "json"; readonly patch: readonly object[] }
  | { readonly type: "merge"; readonly patch: object }
  | { readonly type: "strategic"; readonly patch: object };

export const PATCH_CONTENT_TYPES = {
  json: "application/json-patch+json",
  merge: "application/merge-patch+json",
  strategic: "application/strategic-merge-patch+json",
  // JSON is YAML: every server that applies takes this name, the one for JSON only newer ones do.
  apply: "application/apply-patch+yaml",
} as const;
