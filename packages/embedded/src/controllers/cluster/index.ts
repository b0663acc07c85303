/**
 * The cluster itself: `namespaces/` and `garbage-collection/` take away what has no place any more, `accounts/` gives every namespace what
 * Pods rely on, `endpoints/` tells where Services lead, `nodes/` minds nodes and Pods on them.
 */
import type { MakePart } from "../kit/index.ts";
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
export const clusterParts: readonly MakePart[] = [
  createNamespaceController,
  createGarbageCollector,
  createDefaultAccounts,
  createRootCertificates,
  createTokenSecrets,
  createEndpointsController,
  createSliceController,
  createNodeState,
  createNodeLifecycle,
  createTaintEviction,
  createTtlAnnotations,
  createPodCollector,
];
