import type { DriverComposition } from "../../composition/index.ts";
import { awsEfsProfile } from "./profile.ts";

const { assetPrefix, driverName, sidecars } = awsEfsProfile;

/**
 * The ports are those of the original; the driver has no metrics of its own. Access points are made one at a time: EFS refuses more, and
 * the driver mounts the file system for each.
 */
export const awsEfsComposition: DriverComposition = {
  assetPrefix,
  assetShortPrefix: "efs",
  driverName,
  modes: sidecars,
  controller: {
    livenessPort: 10302,
    livenessFlags: ["--probe-timeout=3s"],
    metrics: { local: 8211, exposed: 9211 },
    servesNoMetrics: true,
    sidecars: [
      {
        name: "provisioner",
        flags: ["--feature-gates=Topology=true", "--extra-create-metadata=true", "--timeout=5m", "--worker-threads=1"],
      },
    ],
  },
  node: { registrar: { livenessPort: 10303, livenessFlags: ["--probe-timeout=3s"], healthPort: 10305 } },
};
