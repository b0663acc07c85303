/**
 * How Cinder's driver gets its configuration. `config-sync-controller.ts` keeps it; `config-sources.ts` says where it comes from,
 * `cloud-conf.ts` what is kept of it (`ini-file.ts` reads and writes the format), `cloud-zones.ts` whether volumes follow zones.
 */
export { configSyncController, configSyncRules } from "./config-sync-controller.ts";
