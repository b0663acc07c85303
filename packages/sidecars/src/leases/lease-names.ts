import { sanitizedDriverName } from "@stowage/machinery";

// Other programs hold leases by these names: renaming one would let two act at once.

export function provisionerLease(driverName: string): string {
  return sanitizedDriverName(driverName);
}

export function attacherLease(driverName: string): string {
  return sanitizedDriverName(`external-attacher-leader-${driverName}`);
}

export function resizerLease(driverName: string): string {
  return sanitizedDriverName(`external-resizer-${driverName}`);
}

export function snapshotterLease(driverName: string): string {
  return sanitizedDriverName(`external-snapshotter-leader-${driverName}`);
}

export const SNAPSHOT_CONTROLLER_LEASE = "snapshot-controller-leader";
