import { defineCommand } from "../command.ts";
import { hostedOperatorOptions } from "../operators/operator-options.ts";
import { driverArgument } from "./driver-argument.ts";

export const driverOperatorCommand = defineCommand({
  name: "driver-operator",
  summary: "run the operator of a CSI driver",
  details:
    "Keeps everything that the driver needs in the cluster as its ClusterCSIDriver says: controller and node Pods, rights, classes, " +
    "metrics. Does nothing before there is a ClusterCSIDriver of the driver's name. Images come from the environment: `DRIVER_IMAGE`, " +
    "`PROVISIONER_IMAGE` and the like, as the originals name them. Runs until it is stopped.",
  positional: [driverArgument],
  options: hostedOperatorOptions,
  async run(context, options, [driver = ""]) {
    const { createDriverOperator, loadDriverProfile } = await import("@stowage/operators/csi-driver");
    const profile = await loadDriverProfile(driver);
    const { runOperatorProcess } = await import("../operators/operator-process.ts");
    return runOperatorProcess(context, {
      name: profile.operatorName,
      // As the originals have it: the one that is replaced must let go before this one acts.
      leaseName: `${profile.operatorName}-lock`,
      defaultNamespace: "openshift-cluster-csi-drivers",
      options,
      make: (deps) => createDriverOperator(deps, profile),
    });
  },
});
