/**
 * What the hooks of several drivers have in common: `driver-container.ts` adds to a container, `cloud-labels.ts` and `gcp-labels.ts`
 * mark what a cluster makes in its cloud.
 */
export { ownedTag, pairsText } from "./cloud-labels.ts";
export { withAddition, withDriverAddition } from "./driver-container.ts";
export { withGcpLabels, withGcpTags } from "./gcp-labels.ts";
