/** What can be done with a resource: `reads/` (get, list, watch) and `writes/` (create, update, patch, delete), given an `ApiRequest`. */
export type { ApiAnswer, ApiRequest, ApiUser } from "./api-request.ts";
export { keyPrefix } from "./object-key.ts";
export * from "./reads/index.ts";
export * from "./writes/index.ts";
