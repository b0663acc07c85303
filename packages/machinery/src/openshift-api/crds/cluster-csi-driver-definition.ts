import type { CustomResourceDefinition } from "../../api/index.ts";
import { definition, object, oneOf, rule } from "../../crds/index.ts";
import { storageClassStates } from "../cluster-csi-driver.ts";
import {
  cephCSIDrivers,
  clusterCSIDriverNames,
  prefixedCephDriverPattern,
  secretsStoreCSIDriver,
} from "../csi-driver-names.ts";
import { clusterCSIDrivers } from "../resources.ts";
import { driverConfigSchema } from "./csi-driver-config-schema.ts";
import { operatorSpecFields, operatorStatus } from "./operator-schema.ts";

const quoted = (names: readonly string[]) => names.map((name) => `'${name}'`).join(", ");

/** Backslashes count twice in a CEL string. */
const celPattern = prefixedCephDriverPattern.replaceAll("\\", "\\\\");

const nameRule = rule(
  `self.metadata.name in [${quoted(clusterCSIDriverNames)}] || self.metadata.name.matches('${celPattern}')`,
  `the name must be that of a CSI driver with an operator: ${clusterCSIDriverNames.join(", ")}; ` +
    `those of Ceph (${cephCSIDrivers.join(", ")}) may have a prefix and a dot before`,
);

const secretsStoreRules = [
  rule(
    `self.spec.?driverConfig.driverType.orValue('') != 'SecretsStore' || self.metadata.name == '${secretsStoreCSIDriver}'`,
    `driverType SecretsStore is for ${secretsStoreCSIDriver} alone`,
  ),
  rule(
    `self.metadata.name != '${secretsStoreCSIDriver}' || self.spec.?driverConfig.driverType.orValue('SecretsStore') == 'SecretsStore'`,
    `${secretsStoreCSIDriver} takes no other driverType than SecretsStore`,
  ),
  rule(
    "oldSelf.spec.?driverConfig.?secretsStore.?tokenRequests.?type.orValue('') != 'Managed' || " +
      "self.spec.?driverConfig.?secretsStore.?tokenRequests.?type.orValue('') == 'Managed'",
    "tokenRequests that are Managed stay so",
  ),
];

export const clusterCSIDriverDefinition: CustomResourceDefinition = definition({
  type: clusterCSIDrivers,
  description: "Configures the operator of one CSI driver. It has the name of the driver.",
  fields: {
    spec: object("What is asked of the operator.", {
      ...operatorSpecFields,
      driverConfig: driverConfigSchema,
      storageClassState: oneOf(
        "Managed, or empty: the driver's storage classes are kept as they should be. Unmanaged: they are left alone. Removed: " +
          "they are deleted, and no further volumes are made.",
        storageClassStates,
      ),
    }),
    status: operatorStatus,
  },
  required: ["spec"],
  rules: [nameRule, ...secretsStoreRules],
});
