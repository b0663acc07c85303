/**
 * What the API server of Kubernetes says of its own API, as files: `openApiFolder` has one for each group and version (its resources and
 * schemas), `operationsFolder` the parameters of requests. They are refreshed by `scripts/generate/refresh-openapi.ts` and are what the
 * types of this package are generated from. Imported as `@stowage/machinery/openapi`.
 */
export const openApiFolder: URL = new URL("../../openapi/", import.meta.url);
export const operationsFolder: URL = new URL("../../openapi/operations/", import.meta.url);
