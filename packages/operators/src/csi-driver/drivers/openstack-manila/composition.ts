import type { DriverComposition } from "../../composition/index.ts";
import { openstackManilaProfile } from "./profile.ts";

const { assetPrefix, driverName, sidecars } = openstackManilaProfile;

/** The ports are those of the original. Shares are mounted and not attached, so that there is no attacher. */
export const openstackManilaComposition: DriverComposition = {
  assetPrefix,
  assetShortPrefix: "openstack-manila",
  driverName,
  modes: sidecars,
  controller: {
    livenessPort: 10306,
    livenessFlags: ["--probe-timeout=10s"],
    metrics: { local: 8202, exposed: 9202 },
    servesNoMetrics: true,
    restoresSnapshots: true,
    sidecars: [
      { name: "provisioner", flags: ["--timeout=120s", "--feature-gates=Topology=true"] },
      { name: "resizer", flags: ["--timeout=240s", "--handle-volume-inuse-error=false"] },
      { name: "snapshotter" },
    ],
  },
  node: { registrar: { livenessPort: 10305, livenessFlags: ["--probe-timeout=10s"], healthPort: 10307 } },
};
