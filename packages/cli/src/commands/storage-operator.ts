import { defineCommand } from "../command.ts";
import { hostedOperatorOptions } from "../operators/operator-options.ts";

export const storageOperatorCommand = defineCommand({
  name: "storage-operator",
  summary: "run the cluster's storage operator",
  details:
    "Finds out what the cluster runs on, starts the operators of that platform's drivers with the images of its environment " +
    "(OPENSTACK_CINDER_DRIVER_OPERATOR_IMAGE and the like), and tells how storage is in Storage/cluster and ClusterOperator/storage. With " +
    "--guest-kubeconfig it is that of a hosted control plane: the operators are in its own namespace, all else is in the guest.",
  options: hostedOperatorOptions,
  async run(context, options) {
    const { runOperatorProcess } = await import("../operators/operator-process.ts");
    const { createStorageOperator, storageOperatorLease, storageOperatorName, storageOperatorNamespace } = await import(
      "@stowage/operators/cluster-storage"
    );
    return runOperatorProcess(context, {
      name: storageOperatorName,
      leaseName: storageOperatorLease,
      defaultNamespace: storageOperatorNamespace,
      options,
      make: (deps) => createStorageOperator(deps),
    });
  },
});
