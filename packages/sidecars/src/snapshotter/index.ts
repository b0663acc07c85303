/**
 * The csi-snapshotter sidecar. In reading order: `snapshotter.ts` (what it watches), `content-step.ts` (what is to be done about a
 * content), `content-sync.ts` and `content-writes.ts` (doing it, the same for both kinds of content), `snapshot-kind.ts` and
 * `group-kind.ts` (what is special about each), `snapshot-calls.ts` and `group-calls.ts` (how the driver is asked),
 * `driver-answer.ts`, `content-status.ts` and `refusal.ts` (what its answer means).
 */
export { type SnapshotterOptions, snapshotterDefaults } from "./options.ts";
export { snapshotterRules, snapshotterSecretRules } from "./rbac.ts";
export { createSnapshotter, takesSnapshots } from "./snapshotter.ts";
