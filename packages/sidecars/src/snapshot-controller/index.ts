/**
 * The snapshot controller. In reading order: `snapshot-controller.ts` (what it watches), `snapshot-sync.ts` (one VolumeSnapshot),
 * `snapshot-input.ts` and `snapshot-begin.ts` (its content is made), `snapshot-mirror.ts` (it says what its content says),
 * `snapshot-deletion.ts`; `group-*.ts` the same for groups and `group-members.ts` their members. What they write is computed in
 * `desired-*.ts`, `mirrored-status.ts`, `binding.ts`, `class-choice.ts`, `source-volume.ts`; `claim-protection.ts` keeps PVCs while
 * they are needed, and `world.ts` is all that the syncs share.
 */
export {
  RETRY_CRD_INTERVAL_MAX_MS,
  type SnapshotControllerDeps,
  type SnapshotControllerOptions,
  snapshotControllerDefaults,
} from "./options.ts";
export { distributedSnapshotControllerRules, snapshotControllerRules } from "./rbac.ts";
export { createSnapshotController } from "./snapshot-controller.ts";
