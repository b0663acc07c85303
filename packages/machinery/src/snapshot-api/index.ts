/**
 * The snapshot API, which is not part of Kubernetes itself but of the CRDs shipped with `@stowage/sidecars`: snapshots of one volume
 * (`volume-snapshot.ts`), of several at one moment (`volume-group-snapshot.ts`), and the names of the resources (`resources.ts`).
 */
export {
  volumeGroupSnapshotClasses,
  volumeGroupSnapshotContents,
  volumeGroupSnapshots,
  volumeSnapshotClasses,
  volumeSnapshotContents,
  volumeSnapshots,
} from "./resources.ts";
export type * from "./volume-group-snapshot.ts";
export type * from "./volume-snapshot.ts";
