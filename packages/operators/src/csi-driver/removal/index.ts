/**
 * Takes an optional driver away, when nobody needs it any more. `removal-controller.ts` says when: it holds the driver while there are
 * `holders.ts`, told in the words of `holder-text.ts` and followed by `usage-watch.ts` among the objects of `usage-kinds.ts`. Then every
 * controller deletes what it has made; `leftovers.ts` is what the driver's own sidecars leave behind. `removal-rules.ts` is what an
 * operator has to be allowed for it.
 */
export { leftoversOf } from "./leftovers.ts";
export { holdFinalizerOf, removalController } from "./removal-controller.ts";
export { leftoverRules, usageRules } from "./removal-rules.ts";
