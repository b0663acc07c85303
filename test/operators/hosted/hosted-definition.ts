import type { CustomResourceDefinition } from "@stowage/machinery";
import { hostedControlPlanes } from "@stowage/operator";

/** As far as anything of it is read. */
export const hostedDefinition: CustomResourceDefinition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `${hostedControlPlanes.plural}.${hostedControlPlanes.group}` },
  spec: {
    group: hostedControlPlanes.group,
    scope: "Namespaced",
    names: { kind: "HostedControlPlane", plural: hostedControlPlanes.plural },
    versions: [
      {
        name: hostedControlPlanes.version,
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
      },
    ],
  },
};
