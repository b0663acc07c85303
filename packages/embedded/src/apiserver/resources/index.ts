/**
 * Which resources there are. `served-resource.ts` says what is known of one, `generated/` has the built-in ones, `resource-registry.ts`
 * all of them, those of definitions too; `discovery.ts` tells clients of them, `deprecation.ts` warns those who use outdated ones.
 */
export { deprecationWarnings } from "./deprecation.ts";
export {
  type GroupVersion,
  groupDocument,
  groupListDocument,
  groupVersions,
  resourceListDocument,
  versionsDocument,
} from "./discovery.ts";
export { type ResourceRef, ResourceRegistry } from "./resource-registry.ts";
export type { ServedResource, ServedSubresource } from "./served-resource.ts";
