import type { CustomResourceDefinition } from "../../api/index.ts";
import { definition, object, oneOf, rule } from "../../crds/index.ts";
import { storages } from "../resources.ts";
import { vsphereStorageDrivers } from "../storage.ts";
import { operatorSpecFields, operatorStatus } from "./operator-schema.ts";

export const storageDefinition: CustomResourceDefinition = definition({
  type: storages,
  description: "Configures the cluster storage operator. The one that counts is named cluster.",
  fields: {
    spec: object("What is asked of the operator.", {
      ...operatorSpecFields,
      vsphereStorageDriver: oneOf(
        "Deprecated: on vSphere there is nothing but CSI, with migration of old volumes.",
        vsphereStorageDrivers,
        {
          "x-kubernetes-validations": [
            rule('self != "LegacyDeprecatedInTreeDriver"', "the driver in the Kubernetes tree is no longer there"),
          ],
        },
      ),
    }),
    status: operatorStatus,
  },
  required: ["spec"],
});
