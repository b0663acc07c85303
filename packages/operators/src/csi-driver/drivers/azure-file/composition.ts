import type { DriverComposition } from "../../composition/index.ts";
import { azureFileProfile } from "./profile.ts";

const { assetPrefix, driverName, sidecars } = azureFileProfile;

/** The ports and times are those of the original: a storage account takes minutes to be made. */
export const azureFileComposition: DriverComposition = {
  assetPrefix,
  assetShortPrefix: "azure-file",
  driverName,
  modes: sidecars,
  controller: {
    livenessPort: 10303,
    livenessFlags: ["--probe-timeout=3s"],
    metrics: { local: 8211, exposed: 9211 },
    restoresSnapshots: true,
    sidecars: [
      {
        name: "provisioner",
        flags: ["--extra-create-metadata=true", "--timeout=300s", "--kube-api-qps=50", "--kube-api-burst=100"],
      },
      { name: "attacher", flags: ["--timeout=120s"] },
      { name: "resizer", flags: ["--timeout=120s", "--handle-volume-inuse-error=false"] },
      { name: "snapshotter", flags: ["--timeout=600s"] },
    ],
  },
  node: { registrar: { livenessPort: 10302, livenessFlags: ["--probe-timeout=3s"], healthPort: 10305 } },
};
