/** What a `sync` that did not fail says of its key. Nothing: all is well until something changes. */
export type SyncOutcome =
  | undefined
  /** Not a failure, but look again, at the latest after this time. */
  | { readonly requeueAfterMs: number }
  /** Not finished, and no error to report: again with the key's backoff. */
  | { readonly retry: true };
