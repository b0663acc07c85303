import type { CustomResourceDefinition } from "@stowage/machinery";

/** What is common to a resource and to what hangs on it. */
interface Served {
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
}

/** `status`, `scale`, `log`. */
export interface ServedSubresource extends Served {
  readonly name: string;
  /** Of a kind that another group has, as `scale` and `eviction` do. */
  readonly kindGroup?: string;
  readonly kindVersion?: string;
}

/** One resource in one version, as discovery tells of it. */
export interface ServedResource extends Served {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly subresources: readonly ServedSubresource[];
  /** Of a custom resource. */
  readonly definition?: CustomResourceDefinition;
}
