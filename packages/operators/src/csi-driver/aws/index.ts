/**
 * What the drivers of AWS have in common. `volume-tags-controller.ts` gives volumes that are there already the tags that a cluster has by
 * now: `volume-tags.ts` decides which and in what batches, `tagging.ts` does it, `tag-retries.ts` is when it is tried again.
 */
export { accessPointOf } from "./volume-tags.ts";
export { volumeTagsController, volumeTagsRules } from "./volume-tags-controller.ts";
