/**
 * What keeps the operator of one driver. `driver-manager.ts` puts it together: its objects (`operator-objects.ts`), its Deployment
 * (`operator-deployment.ts`), and its ClusterCSIDriver (`driver-resource-controller.ts`), whose conditions become the Storage's
 * (`driver-conditions.ts`).
 */
export { createDriverManager, type DriverManager } from "./driver-manager.ts";
