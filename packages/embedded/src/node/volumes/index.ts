/**
 * What Pods mount. `files/`: volumes that are files made of objects, replaced all at once. `plain/`: all that need no driver. `csi/`:
 * what drivers are asked for, step by step. `claims/`: what is behind a claim, and how it grows. `manager/`: what Pods want, what is there, and
 * what leads from one to the other; `volume-manager.ts` is the way in. `subpath/`: parts of volumes, which containers cannot lead elsewhere.
 * `ownership/`: volumes for the group of a Pod. `stats/`: how full they are.
 */
export { type VolumeUse, volumeCapability } from "./csi/csi-capability.ts";
export { CsiPaths, type CsiPlace } from "./csi/csi-paths.ts";
export { podAttributes } from "./csi/pod-attributes.ts";
export { writeAtomically } from "./files/atomic-files.ts";
export {
  configMapPayload,
  type FilePayload,
  type PayloadFile,
  type PayloadWish,
  secretPayload,
} from "./files/file-payload.ts";
export type { HostVolume, HostVolumes } from "./host-volume.ts";
export { VolumeManager, type VolumeManagerDeps } from "./manager/volume-manager.ts";
export type { VolumePace } from "./manager/volume-pace.ts";
export { PlainVolumes, type PlainVolumesDeps } from "./plain/plain-volumes.ts";
export { NodeStats, type NodeStatsDeps } from "./stats/node-stats.ts";
export { SizeGuard, type SizeGuardDeps } from "./stats/size-guard.ts";
export { statsPage } from "./stats/stats-pages.ts";
export type { VolumeUsage } from "./stats/volume-usage.ts";
export { SubPaths, type SubPathsDeps, type SubPathUse } from "./subpath/sub-paths.ts";
export { wantedSubPath } from "./subpath/wanted-sub-path.ts";
