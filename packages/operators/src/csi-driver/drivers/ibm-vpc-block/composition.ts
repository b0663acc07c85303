import type { DriverComposition } from "../../composition/index.ts";
import { ibmVpcBlockProfile } from "./profile.ts";

const { assetPrefix, driverName, sidecars } = ibmVpcBlockProfile;

/** The ports of sidecars and the times are those of the original. Its nodes are in the Pods' network. */
export const ibmVpcBlockComposition: DriverComposition = {
  assetPrefix,
  assetShortPrefix: "ibm-vpc-block",
  driverName,
  modes: sidecars,
  controller: {
    livenessPort: 9808,
    metrics: { local: 8201, exposed: 9201 },
    restoresSnapshots: true,
    sidecars: [
      { name: "provisioner", flags: ["--timeout=600s", "--feature-gates=Topology=true"] },
      { name: "attacher", flags: ["--timeout=900s"] },
      { name: "resizer", flags: ["--timeout=900s"] },
      { name: "snapshotter", flags: ["--timeout=900s"] },
    ],
  },
  node: {
    metrics: [{ name: "driver", local: 8206, exposed: 9206 }],
    registrar: { livenessPort: 9808, healthPort: 10303, isInPodNetwork: true },
  },
};
