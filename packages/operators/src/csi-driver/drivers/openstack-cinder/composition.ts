import type { DriverComposition } from "../../composition/index.ts";
import { openstackCinderProfile } from "./profile.ts";

const { assetPrefix, driverName, sidecars } = openstackCinderProfile;

/** The ports are those of the original. A volume of Cinder may take minutes, hence the long times for calls. */
export const openstackCinderComposition: DriverComposition = {
  assetPrefix,
  assetShortPrefix: "openstack-cinder",
  driverName,
  modes: sidecars,
  controller: {
    livenessPort: 10301,
    livenessFlags: ["--probe-timeout=10s"],
    metrics: { local: 8202, exposed: 9202 },
    restoresSnapshots: true,
    sidecars: [
      { name: "provisioner", flags: ["--timeout=3m", "--default-fstype=ext4"] },
      { name: "attacher", flags: ["--timeout=3m"] },
      { name: "resizer" },
      { name: "snapshotter" },
    ],
  },
  node: { registrar: { livenessPort: 10300, livenessFlags: ["--probe-timeout=10s"], healthPort: 10304 } },
};
