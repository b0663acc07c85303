/**
 * The problem detector of vSphere, by the originals' image: `detector-controllers.ts` keeps its Deployment and what that needs,
 * `monitoring-controller.ts` its alerts, which an administrator can turn off (`detector-config.ts`).
 */
export { detectorImageVariable, detectorObjects } from "./detector-assets.ts";
export { detectorControllers } from "./detector-controllers.ts";
