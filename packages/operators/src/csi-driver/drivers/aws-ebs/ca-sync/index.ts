/** Brings the cloud's own authority to where the driver's Pods can mount it. */
export { caKey, cloudConfigName, resourceSyncController, resourceSyncRules } from "./resource-sync-controller.ts";
