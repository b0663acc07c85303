/**
 * OpenAPI of what is served. `openapi-answer.ts` answers requests from `openapi-documents.ts`, which makes documents when they are asked
 * for: `group-document.ts` one for each group and version, from the paths of its resources (`resource-paths.ts`, `object-operations.ts`,
 * `connect-paths.ts`) and the schemas that these reach in `schema-library.ts`, or in the definitions (`custom-schemas.ts`);
 * `plain-documents.ts` the rest. `swagger-document.ts` makes version 2 of all of them, and `swagger-protobuf.ts` its
 * binary form.
 */
export { type OpenApiDeps, openApiAnswer, prepareOpenApi } from "./openapi-answer.ts";
export { OpenApiDocuments } from "./openapi-documents.ts";
