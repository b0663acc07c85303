/**
 * Larger requests and VolumeAttributesClasses of PVCs, to ControllerExpandVolume and ControllerModifyVolume. In reading order:
 *
 * - `resizer.ts`, `options.ts`, `rbac.ts`: the sidecar, what it can be told, what it must be allowed
 * - `claim-sizes.ts`, `expansion-target.ts`: to which size now, purely; `expansion-patches.ts`: what is written
 * - `expansion.ts`, `expand-volume.ts`: what is done; `claim-users.ts`: who uses a volume that cannot grow in use
 * - `modification-plan.ts`, `modification-patches.ts`, `modification.ts`: the same for classes
 * - `slow-retries.ts`, `claim-news.ts`, `condition-patch.ts`: what both share
 *
 * `allocatedResources` with `allocatedResourceStatuses`, and `modifyVolumeStatus`, are the durable intent: they are written before
 * the driver is called, and what may be under way is finished before anything else is tried, after a restart too.
 *
 * Not supported: claims of in-tree volumes (CSI migration). They are left alone.
 */
export { type ResizerOptions, resizerDefaults } from "./options.ts";
export { resizerRules, resizerSecretRules } from "./rbac.ts";
export { createResizer } from "./resizer.ts";
