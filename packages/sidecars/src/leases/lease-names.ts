// Other programs hold leases by these names: renaming one would let two act at once.

export function provisionerLease(driverName: string): string {
  return leaseName(driverName);
}

export function attacherLease(driverName: string): string {
  return leaseName(`external-attacher-leader-${driverName}`);
}

export function resizerLease(driverName: string): string {
  return leaseName(`external-resizer-${driverName}`);
}

export function snapshotterLease(driverName: string): string {
  return leaseName(`external-snapshotter-leader-${driverName}`);
}

export const SNAPSHOT_CONTROLLER_LEASE = "snapshot-controller-leader";

/** Names end in a letter or a digit, so a dash at the end gets an X. */
function leaseName(name: string): string {
  return name.replaceAll(/[^a-zA-Z0-9-]/g, "-").replace(/-$/, "-X");
}
