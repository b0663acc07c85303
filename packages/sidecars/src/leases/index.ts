/** The leases that the original sidecars take, so that one of them and one of ours never act at once. */
export {
  attacherLease,
  provisionerLease,
  resizerLease,
  SNAPSHOT_CONTROLLER_LEASE,
  snapshotterLease,
} from "./lease-names.ts";
