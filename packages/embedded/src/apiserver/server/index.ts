/**
 * The server as a whole. `api-server.ts` starts and closes it; `data-folder.ts`, `state-files.ts` and `identity.ts` have what outlives
 * it, `component-kubeconfig.ts` lets other processes take part in it, `server-parts.ts` puts together what answers requests, `first-objects.ts` makes what every cluster begins with, and
 * `request-handler.ts` takes each request through all of it to its verb in `dispatch.ts`.
 */
export { type ApiServer, type ApiServerOptions, startApiServer } from "./api-server.ts";
export { type ComponentName, issueKubeconfig, type KubeconfigWish } from "./component-kubeconfig.ts";
export { administrator, agentClient, type ClientName, controllerManager, nodeClient, scheduler } from "./identity.ts";
export { discardState, type RestoredState, restoreState, saveState } from "./state-files.ts";
