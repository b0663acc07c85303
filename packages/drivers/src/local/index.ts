/**
 * The local driver: volumes on the disk of one machine, or of each node. A volume is a sparse file with a real file system on a
 * loop device, or a raw block device; where loop devices cannot be had (no root), it is a plain directory.
 *
 * In reading order:
 *
 * - `options.ts`, `local-driver.ts`: what it is told, and how it is put together
 * - `services/`: the calls of CSI, a file for each kind: creation, deletion, expansion, snapshots, groups, staging, publishing
 * - `services/volume-health.ts`, `services/storage-health.ts`: what is wrong with a volume or the disk below all of them
 * - `services/operation.ts`, `services/recovery.ts`: how a change survives a crash: the intent first, the record last
 * - `requests/`: what is asked for, checked: sizes, capabilities, paths, pages; and the refusals
 * - `state/`: records and intents on disk, one checksummed file each, written whole or not at all
 * - `storage/`: image files, file systems, loop devices, mounts, I/O limits; what the kernel knows is asked, never remembered (by
 *   `@stowage/csi/host`, the one way to the system's programs and mounts)
 *
 * What it promises: a process killed at any moment loses nothing and leaves nothing half made. `fault-points.ts` names those
 * moments for tests.
 */
export type { FaultPoint } from "./fault-points.ts";
export { createLocalDriver, type LocalDriver } from "./local-driver.ts";
export type { LocalDriverOptions } from "./options.ts";
export type { Destruction, TaggedResource, TaggedVolume, TaggedVolumes } from "./services/tagged-volumes.ts";
