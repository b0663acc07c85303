/**
 * How each kind is written. `strategy.ts` says what is asked of one; `built-in-strategy.ts` has it for built-in kinds, by tables
 * (`kind-facts.ts`) and by what is particular to some: `kind-rules.ts` says what that can be, `kinds/` has it; `custom-strategy.ts` has it for the kinds of CRDs. `Strategies` finds the one for a resource.
 */
export { GoDecoder } from "./go-decoder.ts";
export {
  fieldsOf,
  isFields,
  listOf,
  metadataOf,
  numberOf,
  sameJson,
  specOf,
  textOf,
  textsOf,
  withFields,
  withMetadata,
} from "./json-fields.ts";
export { commonMetadataErrors, metadataUpdateErrors } from "./metadata-update.ts";
export { Strategies } from "./strategies.ts";
export type { Strategy } from "./strategy.ts";
