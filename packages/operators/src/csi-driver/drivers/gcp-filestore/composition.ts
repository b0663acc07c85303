import type { DriverComposition } from "../../composition/index.ts";
import { gcpFilestoreProfile } from "./profile.ts";

const { assetPrefix, driverName, sidecars } = gcpFilestoreProfile;

/**
 * In the host's network beside persistent disks, so the ports are none of theirs. The original leaves one of its own free, for an attacher
 * that it does not have; here the ports follow one another. Names of claims are not told to the driver: it makes labels of them, which
 * cannot have every name.
 */
export const gcpFilestoreComposition: DriverComposition = {
  assetPrefix,
  assetShortPrefix: "gcp-filestore",
  driverName,
  modes: sidecars,
  controller: {
    livenessPort: 10313,
    livenessFlags: ["--probe-timeout=3s"],
    metrics: { local: 8211, exposed: 9211 },
    servesNoMetrics: true,
    restoresSnapshots: true,
    sidecars: [
      {
        name: "provisioner",
        flags: ["--feature-gates=Topology=true", "--timeout=250s", "--retry-interval-max=60s"],
      },
      { name: "resizer", flags: ["--timeout=120s"] },
      { name: "snapshotter", flags: ["--timeout=300s"] },
    ],
  },
  node: { registrar: { livenessPort: 10302, livenessFlags: ["--probe-timeout=3s"], healthPort: 10304 } },
};
