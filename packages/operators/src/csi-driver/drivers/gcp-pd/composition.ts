import type { DriverComposition } from "../../composition/index.ts";
import { gcpPdProfile } from "./profile.ts";

const { assetPrefix, driverName, sidecars } = gcpPdProfile;

/** The ports are those of the original, of the host since the controller is in its network; the driver has no metrics of its own. */
export const gcpPdComposition: DriverComposition = {
  assetPrefix,
  assetShortPrefix: "gcp-pd",
  driverName,
  modes: sidecars,
  controller: {
    livenessPort: 10301,
    livenessFlags: ["--probe-timeout=3s"],
    metrics: { local: 8201, exposed: 9201 },
    servesNoMetrics: true,
    restoresSnapshots: true,
    hasAttributesClasses: true,
    sidecars: [
      {
        name: "provisioner",
        flags: [
          "--default-fstype=ext4",
          "--feature-gates=Topology=true",
          "--extra-create-metadata=true",
          "--timeout=250s",
          "--controller-publish-readonly=true",
        ],
      },
      { name: "attacher", flags: ["--timeout=250s"] },
      { name: "resizer" },
      { name: "snapshotter", flags: ["--timeout=300s"] },
    ],
  },
  node: { registrar: { livenessPort: 10300, livenessFlags: ["--probe-timeout=3s"], healthPort: 10303 } },
};
