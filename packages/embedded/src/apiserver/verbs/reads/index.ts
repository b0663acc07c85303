/**
 * What only reads. `object-get.ts`, `object-list.ts` and `object-watch.ts` have a verb each; they share `read-target.ts` (which
 * resource, which keys), `list-options.ts` and `resource-version.ts` (what the query asks for), `selection.ts` with `field-labels.ts`
 * (which objects) and `object-form.ts` with `json-text.ts` (how they look: text from text, nothing is decoded but for a selector).
 * Of watches, `watch-hub.ts` brings changes to all of them, `change-view.ts` makes the text of an event once for all, `watch-stream.ts`
 * holds what a client has not read yet, and `watch-bookmarks.ts` tells it how far it has come.
 */
export { asMetadata, asServed, type FormOf, type ListHead, metadataForm, type ObjectForm } from "./object-form.ts";
export { getObject } from "./object-get.ts";
export { listObjects } from "./object-list.ts";
export { type WatchDeps, watchObjects } from "./object-watch.ts";
export type { ReadDeps } from "./read-target.ts";
export { WatchHub } from "./watch-hub.ts";
