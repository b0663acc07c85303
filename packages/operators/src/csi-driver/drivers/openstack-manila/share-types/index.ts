/**
 * What Manila's operator does beside what every driver's does: `share-types-gate.ts` asks the cloud whether there is anything for the
 * driver, `cloud-source.ts` with what, `share-classes.ts` makes a class of each type, `cloud-config-copy.ts` brings the cloud's
 * authority to the driver. `manila-parts.ts` puts them together and says what they have to be allowed.
 */
export { hostedCloudConfigName } from "./cloud-source.ts";
export { manilaParts, manilaRules, shareClassRules } from "./manila-parts.ts";
