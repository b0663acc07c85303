/**
 * The cluster itself: `namespaces/` and `garbage-collection/` take away what has no place any more, `accounts/` gives every namespace what
 * Pods rely on, `endpoints/` tells where Services lead, `nodes/` minds nodes and Pods on them.
 */
import type { PartRow } from "../kit/index.ts";
import { createDefaultAccounts, createRootCertificates, createTokenSecrets } from "./accounts/index.ts";
import { createEndpointsController, createSliceController } from "./endpoints/index.ts";
import { createGarbageCollector } from "./garbage-collection/index.ts";
import { createNamespaceController } from "./namespaces/index.ts";
import {
  createNodeLifecycle,
  createNodeState,
  createPodCollector,
  createTaintEviction,
  createTtlAnnotations,
} from "./nodes/index.ts";

/** In the order in which they are started. */
export const clusterParts: readonly PartRow[] = [
  { make: createNamespaceController, account: "namespace-controller" },
  { make: createGarbageCollector, account: "generic-garbage-collector" },
  { make: createDefaultAccounts, account: "service-account-controller" },
  { make: createRootCertificates, account: "root-ca-cert-publisher" },
  { make: createTokenSecrets },
  { make: createEndpointsController, account: "endpoint-controller" },
  { make: createSliceController, account: "endpointslice-controller" },
  { make: createNodeState, account: "node-controller" },
  { make: createNodeLifecycle, account: "node-controller" },
  { make: createTaintEviction, account: "node-controller" },
  { make: createTtlAnnotations, account: "ttl-controller" },
  { make: createPodCollector, account: "pod-garbage-collector" },
];
