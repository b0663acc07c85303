import type { DriverComposition } from "../../composition/index.ts";
import { awsEbsProfile } from "./profile.ts";

const { assetPrefix, driverName, sidecars } = awsEbsProfile;

/** A large cluster attaches hundreds of volumes at once, and the driver puts its calls to EC2 together. */
const atOnce = ["--kube-api-qps=20", "--kube-api-burst=100"];

/** The ports are those of the original. 10305 is for the registrar of EFS on the same nodes. */
export const awsEbsComposition: DriverComposition = {
  assetPrefix,
  assetShortPrefix: "ebs",
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
          "--timeout=60s",
          "--worker-threads=100",
          ...atOnce,
        ],
      },
      { name: "attacher", flags: ["--timeout=60s", "--worker-threads=100", ...atOnce] },
      { name: "resizer", flags: ["--timeout=60s", "--workers=100", ...atOnce] },
      { name: "snapshotter", flags: ["--extra-create-metadata=true", "--worker-threads=100", ...atOnce] },
    ],
  },
  node: { registrar: { livenessPort: 10300, livenessFlags: ["--probe-timeout=3s"], healthPort: 10309 } },
};
