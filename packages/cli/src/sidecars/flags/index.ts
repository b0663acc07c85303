import type { SidecarFlags } from "../sidecar-flags.ts";
import { attacherFlags } from "./attacher.ts";
import { provisionerFlags } from "./provisioner.ts";
import { resizerFlags } from "./resizer.ts";
import { snapshotControllerFlags } from "./snapshot-controller.ts";
import { snapshotterFlags } from "./snapshotter.ts";

/** Those that have a driver beside them; in the order in which their leases are taken. */
export const driverSidecars: readonly SidecarFlags[] = [
  provisionerFlags,
  attacherFlags,
  resizerFlags,
  snapshotterFlags,
];

/** All that can run in one process. */
export const combinableSidecars: readonly SidecarFlags[] = [...driverSidecars, snapshotControllerFlags];
