import type { DriverComposition } from "../../composition/index.ts";
import { smbProfile } from "./profile.ts";

const { assetPrefix, driverName, sidecars } = smbProfile;

/** A share is mounted and never attached, and a server of somebody else's has no snapshots to offer. The ports are the original's. */
export const smbComposition: DriverComposition = {
  assetPrefix,
  assetShortPrefix: "smb",
  driverName,
  modes: sidecars,
  controller: {
    livenessPort: 10307,
    livenessFlags: ["--probe-timeout=3s"],
    metrics: { local: 8221, exposed: 9221 },
    sidecars: [
      { name: "provisioner", flags: ["--extra-create-metadata=true"] },
      { name: "resizer", flags: ["--timeout=120s", "--handle-volume-inuse-error=false"] },
    ],
  },
  node: { registrar: { livenessPort: 10306, livenessFlags: ["--probe-timeout=3s"], healthPort: 10308 } },
};
