import type { DriverComposition } from "../../composition/index.ts";
import { powervsBlockProfile } from "./profile.ts";

const { assetPrefix, driverName, sidecars } = powervsBlockProfile;

/** The ports are those of the original. It has no snapshots, and the driver has no metrics. */
export const powervsBlockComposition: DriverComposition = {
  assetPrefix,
  assetShortPrefix: "ibm-powervs-block",
  driverName,
  modes: sidecars,
  controller: {
    livenessPort: 10301,
    livenessFlags: ["--probe-timeout=3s"],
    metrics: { local: 8201, exposed: 9201 },
    servesNoMetrics: true,
    sidecars: [
      {
        name: "provisioner",
        flags: [
          "--default-fstype=ext4",
          "--feature-gates=Topology=true",
          "--extra-create-metadata=false",
          "--controller-publish-readonly=true",
        ],
      },
      { name: "attacher" },
      { name: "resizer" },
    ],
  },
  node: { registrar: { livenessPort: 10300, livenessFlags: ["--probe-timeout=3s"], healthPort: 10304 } },
};
