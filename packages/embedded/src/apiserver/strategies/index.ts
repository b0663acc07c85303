/**
 * How each kind is written. `strategy.ts` says what is asked of one; `built-in-strategy.ts` has it for built-in kinds, by tables
 * (`kind-facts.ts`), by what is particular to some (`kind-rules.ts`, `kinds/`), and by the seams that `admission/` adds to
 * (`kind-seams.ts`); `custom-strategy.ts` has it for the kinds of CRDs. `Strategies` finds the one for a resource.
 */
export {
  fieldsOf,
  isFields,
  listOf,
  metadataOf,
  numberOf,
  sameJson,
  textOf,
  textsOf,
  withMetadata,
} from "./json-fields.ts";
export { type KindSeams, ownSeams } from "./kind-seams.ts";
export { commonMetadataErrors, metadataUpdateErrors } from "./metadata-update.ts";
export { Strategies } from "./strategies.ts";
export type { Strategy } from "./strategy.ts";
