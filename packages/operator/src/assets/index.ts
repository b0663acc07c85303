/**
 * From the files that an operator carries to objects: text with `${PLACEHOLDERS}` (`placeholders.ts`) → hooks on the text → objects
 * (`manifest-documents.ts`) → hooks on the objects (`hook-pipeline.ts`). `composition.ts` lays patches over a base, so that a driver
 * can be data: what it has in common with others, and its patches.
 */
export type { Asset } from "./asset.ts";
export { composeObject, type ObjectPatch, parsePatch } from "./composition.ts";
export {
  type ManifestHook,
  type ObjectHook,
  type Rendering,
  renderObject,
  renderObjects,
  withPlaceholders,
} from "./hook-pipeline.ts";
export { formatManifests, parseManifests } from "./manifest-documents.ts";
export { replacePlaceholders } from "./placeholders.ts";
