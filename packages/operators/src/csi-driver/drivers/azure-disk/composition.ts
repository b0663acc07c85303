import type { DriverComposition } from "../../composition/index.ts";
import { azureDiskProfile } from "./profile.ts";

const { assetPrefix, driverName, sidecars } = azureDiskProfile;

/**
 * The ports and times are those of the original. Azure attaches many disks at once faster than one after the other, so the attacher
 * has many threads and much time.
 */
export const azureDiskComposition: DriverComposition = {
  assetPrefix,
  assetShortPrefix: "azure-disk",
  driverName,
  modes: sidecars,
  controller: {
    livenessPort: 10301,
    livenessFlags: ["--probe-timeout=3s"],
    metrics: { local: 8201, exposed: 9201 },
    restoresSnapshots: true,
    hasAttributesClasses: true,
    sidecars: [
      {
        name: "provisioner",
        flags: [
          "--default-fstype=ext4",
          "--feature-gates=Topology=true",
          "--extra-create-metadata=true",
          "--strict-topology=true",
          "--timeout=30s",
          "--worker-threads=100",
          "--kube-api-qps=50",
          "--kube-api-burst=100",
        ],
      },
      {
        name: "attacher",
        flags: ["--timeout=1200s", "--worker-threads=1000", "--kube-api-qps=200", "--kube-api-burst=400"],
      },
      { name: "resizer", flags: ["--timeout=240s", "--handle-volume-inuse-error=false"] },
      { name: "snapshotter", flags: ["--timeout=600s"] },
    ],
  },
  node: {
    metrics: [{ name: "driver", local: 8206, exposed: 9206 }],
    // Azure Files has the ports between.
    registrar: { livenessPort: 10300, livenessFlags: ["--probe-timeout=3s"], healthPort: 10304 },
  },
};
