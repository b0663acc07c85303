/**
 * What is left in a cloud when a cluster is no more. In reading order:
 *
 * - `volume-cloud.ts`: the seam to whatever keeps volumes
 * - `ownership-mark.ts`: how a cluster's own are told from everybody else's
 * - `destruction.ts`: lists, looks again, deletes, waits for what is held; `CloudPatience` of `cloud-config/` slows it down
 * - `aws/`, `openstack/`: clouds; `missing-cloud.ts`: what is said of those that are to come
 *
 * The local driver's own volumes are a `VolumeCloud` too. It is made where commands are put together: operators know no drivers.
 */

export { CloudPatience } from "../cloud-config/index.ts";
export { createEc2Cloud } from "./aws/ec2-cloud.ts";
export { type Destroyed, type DestructionDeps, destroyOwned, listOwned, type Tally } from "./destruction.ts";
export { notYet } from "./missing-cloud.ts";
export { connectToCinder } from "./openstack/cinder-access.ts";
export { isClusterId, usualMarks } from "./ownership-mark.ts";
export type { CloudVolume, PageRequest, VolumeCloud, VolumeKind, VolumeName, VolumePage } from "./volume-cloud.ts";
