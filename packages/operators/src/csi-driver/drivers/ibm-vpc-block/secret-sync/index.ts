/**
 * How the driver gets into the cloud: `secret-sync-controller.ts` makes the file that it reads (`storage-secret.ts`) of the cloud's
 * configuration (`cloud-conf.ts`), of the key that was made for it, and of one thing that only the cloud knows (`resource-groups.ts`).
 */

export { secretSyncController, secretSyncRules } from "./secret-sync-controller.ts";
export { cloudCredentials, driverCredentials } from "./storage-secret.ts";
