/**
 * How Cinder's driver gets its configuration. `config-sync-controller.ts` keeps it; `config-sources.ts` says where it comes from,
 * `cloud-conf.ts` what is kept of it, `topology-choice.ts` whether volumes follow zones, which `cloud-zones.ts` asks the cloud for.
 */
export { configSyncController, configSyncRules } from "./config-sync-controller.ts";
