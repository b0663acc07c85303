/** Puts the cloud's configuration and a driver's credentials into one file. The program is in the image of another operator. */
export const injectorImages: Readonly<Record<string, string>> = {
  CLUSTER_CLOUD_CONTROLLER_MANAGER_OPERATOR_IMAGE:
    "quay.io/openshift/origin-cluster-cloud-controller-manager-operator:latest",
};
