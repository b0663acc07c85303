/**
 * Selectors: which objects are meant.
 *
 * - `parseLabelSelector` reads text (`app=web,tier in (a,b),!old`), `labelMatcherFrom` a `LabelSelector` of the API; both give
 *   a `LabelMatcher`. To build one in code, begin with `matchAllLabels` and add: `matchAllLabels.equals("app", "web")`.
 * - `parseFieldSelector` reads text (`metadata.name=x,spec.nodeName!=y`) and gives a `FieldMatcher`.
 *
 * What Kubernetes would refuse throws an `InvalidSelectorError`, with the reason in the API server's words.
 */
export { escapeFieldValue, FieldMatcher, type FieldRequirement, parseFieldSelector } from "./field-selector.ts";
export { InvalidSelectorError } from "./invalid-selector-error.ts";
export { LabelMatcher, matchAllLabels, matchNoLabels } from "./label-matcher.ts";
export { parseLabelSelector } from "./label-parser.ts";
export type { LabelOperator, LabelRequirement, Labels } from "./label-requirement.ts";
export { type LabelSelectorShape, labelMatcherFrom, labelMatcherFromLabels } from "./label-selector-object.ts";
