import type { DriverComposition } from "../../composition/index.ts";
import { vmwareVsphereProfile } from "./profile.ts";

const { assetPrefix, driverName, sidecars } = vmwareVsphereProfile;

/** The driver and its syncer have their ports fixed, side by side, so that those of the sidecars begin elsewhere. */
export const vmwareVsphereComposition: DriverComposition = {
  assetPrefix,
  assetShortPrefix: "vmware-vsphere",
  driverName,
  modes: sidecars,
  controller: {
    livenessPort: 10301,
    livenessFlags: ["--probe-timeout=3s"],
    metrics: { local: 2112, exposed: 9201 },
    sidecarMetrics: { local: 8202, exposed: 9202 },
    furtherMetrics: [{ name: "syncer", local: 2113, exposed: 9206 }],
    restoresSnapshots: true,
    sidecars: [
      { name: "provisioner", flags: ["--timeout=300s", "--default-fstype=ext4"] },
      { name: "attacher", flags: ["--timeout=300s", "--reconcile-sync=10m"] },
      { name: "resizer", flags: ["--timeout=300s"] },
      { name: "snapshotter", flags: ["--timeout=300s"] },
    ],
  },
  node: { registrar: { livenessPort: 10300, livenessFlags: ["--probe-timeout=3s"], healthPort: 10302 } },
};
