/**
 * The CustomResourceDefinitions of OpenShift's API, for clusters that lack them. Storage and ClusterCSIDriver are those of the
 * cluster storage operator; the others belong to parts of OpenShift that a plain Kubernetes does not have, and have what our
 * operators read. Each is built from the lists of values beside its types. `npm run generate` writes them to
 * `packages/operators/manifests/crds/` too.
 */
import type { CustomResourceDefinition } from "../../api/index.ts";
import { apiServerDefinition, featureGateDefinition, proxyDefinition } from "./cluster-config-definitions.ts";
import { clusterCSIDriverDefinition } from "./cluster-csi-driver-definition.ts";
import { clusterOperatorDefinition } from "./cluster-operator-definition.ts";
import { clusterVersionDefinition } from "./cluster-version-definition.ts";
import { cloudCredentialDefinition, credentialsRequestDefinition } from "./credential-definitions.ts";
import { infrastructureDefinition } from "./infrastructure-definition.ts";
import { storageDefinition } from "./storage-definition.ts";

/** Shipped with the cluster storage operator, which owns their objects. */
export const storageOperatorCrds: readonly CustomResourceDefinition[] = [storageDefinition, clusterCSIDriverDefinition];

/** To be installed only where they are missing: on OpenShift they belong to others, and have more in them. */
export const platformCrds: readonly CustomResourceDefinition[] = [
  infrastructureDefinition,
  proxyDefinition,
  apiServerDefinition,
  featureGateDefinition,
  clusterOperatorDefinition,
  clusterVersionDefinition,
  cloudCredentialDefinition,
  credentialsRequestDefinition,
];
