/**
 * The CSI sidecars, each with the behaviour of the original, to run alone or all in one process. In reading order:
 *
 * - `sidecar.ts`: what each is handed, and what each is
 * - `driver/`, `secrets/`, `caches/`: what they share
 * - `provisioner/`: PVC to volume to PV, and back
 * - `attacher/`: VolumeAttachment to ControllerPublishVolume
 * - `resizer/`: larger requests and VolumeAttributesClasses
 * - `snapshotter/`, `snapshot-controller/`: VolumeSnapshots and their contents, groups of them too
 */
export { type DriverProfile, readDriverProfile } from "./driver/index.ts";
export type { RoleRules } from "./rbac/role-rules.ts";
export type { CallLimits, Sidecar, SidecarDeps } from "./sidecar.ts";
