/**
 * What CustomResourceDefinitions mean: which objects they take, what those become, and what is said of those they refuse, in the
 * words of Kubernetes' API server. Pure: nothing here stores or serves anything. Imported as `@stowage/machinery/structural`.
 *
 * - `definition/`: whether a definition itself is right, its defaults, its names and when it is established
 * - `resource/`: `CustomResource`, one version of a definition, which reads and validates objects
 * - `schema/`: a schema made ready for walking; pruning, defaulting, and what an update did not change
 * - `values/`: types, limits, formats, choices, kinds of lists
 * - `metadata/`: ObjectMeta, of resources within resources too
 * - `cel/`: rules; `cel-parser.ts` → `cel-checker.ts` → `cel-compiler.ts`, `library/` has what rules can call, `rule-validator.ts`
 *   runs them on objects and `meter.ts` ends those that take too long
 * - `regex/`: patterns of RE2 in time linear in the text
 * - `errors/`: errors of fields, Go's way of writing values, and the Status that a client gets
 */
export { goQuote } from "../go-text/index.ts";
export { defaultDefinitionSpec, newDefinition, storedVersions } from "./definition/definition-defaults.ts";
export { definitionErrors, definitionUpdateErrors } from "./definition/definition-errors.ts";
export { desiredEstablished, desiredNames, type NamingDecision } from "./definition/definition-names.ts";
export {
  duplicate,
  type FieldError,
  type FieldErrorType,
  fieldErrorText,
  forbidden,
  invalid,
  notFound,
  notSupported,
  omittedValue,
  required,
  tooLong,
  tooMany,
  uncheckable,
} from "./errors/field-error.ts";
export { type InvalidObject, invalidStatus } from "./errors/invalid-status.ts";
export { type DecodedMetadata, decodeMetadata } from "./metadata/decoded-metadata.ts";
export { type MetadataRules, metadataErrors } from "./metadata/metadata-errors.ts";
export { CustomResource, type ReadResource } from "./resource/custom-resource.ts";
