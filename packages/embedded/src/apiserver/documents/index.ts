/**
 * What is asked for by a path and is no resource. `path-document.ts` finds whose it is: discovery (`discovery-answers.ts`, in one document
 * `aggregated-discovery.ts`), `openapi/`, health (`health-checks.ts`), `metrics-text.ts` (counted by `request-meter.ts`), the version and
 * the keys of tokens.
 */
export { OpenApiDocuments, prepareOpenApi } from "./openapi/index.ts";
export { pageNotFound } from "./path-answer.ts";
export { type DocumentDeps, pathDocument } from "./path-document.ts";
export { RequestMeter } from "./request-meter.ts";
