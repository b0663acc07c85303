/**
 * The server as a whole. `api-server.ts` starts and closes it; `data-folder.ts`, `state-files.ts` and `identity.ts` have what outlives
 * it, `server-parts.ts` puts together what answers requests, `first-objects.ts` makes what every cluster begins with, and
 * `request-handler.ts` takes each request through all of it to its verb in `dispatch.ts`.
 */
export { type ApiServer, type ApiServerOptions, startApiServer } from "./api-server.ts";
export type { ClientName } from "./identity.ts";
export { discardState, type RestoredState, restoreState, saveState } from "./state-files.ts";
