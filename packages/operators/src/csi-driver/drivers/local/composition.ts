import type { DriverComposition } from "../../composition/index.ts";
import { localProfile } from "./profile.ts";

const { assetPrefix, driverName, sidecars } = localProfile;

/**
 * Everything is on the node that has the disk: the driver registers itself with kubelet and says how it is, so that it needs neither
 * registrar nor liveness probe, and the sidecars beside it deal with that node's volumes alone, without a leader. Which node a volume
 * is made on follows from the room that each has (`--enable-capacity`).
 */
export const localComposition: DriverComposition = {
  assetPrefix,
  assetShortPrefix: "stowage-local",
  driverName,
  modes: sidecars,
  isOwnImage: true,
  node: {
    // In the host's network, beside the drivers of clouds: none of these has the ports.
    metrics: [{ name: "driver", local: 8231, exposed: 9231 }],
    sidecars: {
      metrics: { local: 8232, exposed: 9232 },
      sidecars: [
        {
          name: "provisioner",
          flags: [
            "--node-deployment=true",
            "--enable-capacity=true",
            "--strict-topology=true",
            "--default-fstype=ext4",
          ],
        },
        { name: "resizer", flags: ["--node-deployment=true"] },
        { name: "snapshotter", flags: ["--node-deployment=true"] },
      ],
    },
  },
};
