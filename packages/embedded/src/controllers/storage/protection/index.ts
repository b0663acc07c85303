/** What is in use stays. `finalizers.ts` has the rule, `claim-usage.ts` what counts as use of a claim; then a controller for each kind. */
export { createAttributesClassProtection } from "./attributes-class-protection.ts";
export { createClaimProtection } from "./claim-protection.ts";
export { createVolumeProtection } from "./volume-protection.ts";
