/**
 * What a cluster of `stowage up` runs on. `up-platform.ts`: what that means. `platform-table.ts`: which there are, some in files of their
 * own (`openstack-platform.ts`, …), and `platform-parts.ts` what these have in common. Only `local` is real; the
 * others simulate a cloud: `stand-in-driver.ts` is what runs in place of its drivers, `simulated-credentials.ts` hands out what lets nobody
 * in, `simulated-cloud.ts` answers what operators ask, and `vcenter/` what that of vSphere does.
 */
export type { PlatformId } from "./platform-ids.ts";
export { upPlatforms } from "./platform-table.ts";
export { startSimulatedCloud } from "./simulated-cloud.ts";
export { runSimulatedCredentials, simulatedAnnotation } from "./simulated-credentials.ts";
export {
  cloudFolder,
  foldersOfClouds,
  missesPods,
  podsFolder,
  type StandInDriver,
  standInCommand,
} from "./stand-in-driver.ts";
export { desiredInfrastructure, type PlatformDriver, type Simulation, type UpPlatform } from "./up-platform.ts";
