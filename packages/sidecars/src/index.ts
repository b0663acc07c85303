/**
 * The CSI sidecars, each with the behaviour of the original, to run alone or all in one process. In reading order:
 *
 * - `sidecar.ts`: what each is handed, and what each is
 * - `driver/`, `secrets/`, `caches/`: what they share
 * - `provisioner/`: PVC to volume to PV, and back
 * - `attacher/`: VolumeAttachment to ControllerPublishVolume
 * - `resizer/`: larger requests and VolumeAttributesClasses
 * - `snapshotter/`, `snapshot-controller/`: VolumeSnapshots and their contents, groups of them too
 * - `registrar/`, `liveness-probe/`, `cluster-driver-registrar/`: small ones that make a driver known, and say how it is
 * - `leases/`, `rbac/`: by which names the originals are kept from acting at once, and what each sidecar may do
 */
export * from "./attacher/index.ts";
export * from "./cluster-driver-registrar/index.ts";
export { type DriverProfile, readDriverProfile } from "./driver/index.ts";
export * from "./leases/index.ts";
export * from "./liveness-probe/index.ts";
export {
  type CapacityOptions,
  capacityDefaults,
  capacityRules,
  createCapacityController,
} from "./provisioner/capacity/index.ts";
export {
  createProvisioner,
  type ProvisionerOptions,
  provisionerDefaults,
  provisionerRules,
  provisionerSecretRules,
} from "./provisioner/index.ts";
export {
  createNodeDeployment,
  nodeDeploymentDefaults,
  nodeDeploymentRules,
  type OwnNode,
  readOwnNode,
} from "./provisioner/node-deployment/index.ts";
export { createTopologyPlanner, topologyRules } from "./provisioner/topology/index.ts";
export type { RoleRules } from "./rbac/role-rules.ts";
export * from "./registrar/index.ts";
export * from "./resizer/index.ts";
export type { CallLimits, Sidecar, SidecarDeps } from "./sidecar.ts";
export * from "./snapshot-controller/index.ts";
export * from "./snapshot-crds/index.ts";
export * from "./snapshotter/index.ts";
