import type { ObjectMeta } from "./generated/meta-v1.ts";

/** What every object of the API has. Objects from lists and watches carry apiVersion and kind too: the client fills them in. */
export interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
}

/**
 * Names one resource of the API and, through `T`, the type of its objects. The built-in ones are generated
 * (`persistentVolumeClaims`, …); those of a CRD are written beside its types.
 */
export interface ResourceType<T extends KubernetesObject = KubernetesObject> {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly kind: string;
  readonly namespaced: boolean;
  /** Reads and patches bring metadata alone; see `metadataOnly`. */
  readonly metadataOnly?: boolean;
  /** Never set: ties the type of the objects to the descriptor. */
  readonly objectType?: T;
}

/** `v1` or `group/version`, as objects carry it. */
export function apiVersionOf(type: Pick<ResourceType, "group" | "version">): string {
  return type.group === "" ? type.version : `${type.group}/${type.version}`;
}

/** An object without its spec and status. */
export type MetadataOnly<T extends KubernetesObject = KubernetesObject> = Pick<T, "apiVersion" | "kind" | "metadata">;

/** The same resource, read without spec and status: much smaller where only names, labels and owners matter. */
export function metadataOnly<T extends KubernetesObject>(type: ResourceType<T>): ResourceType<MetadataOnly<T>> {
  const { group, version, plural, kind, namespaced } = type;
  return { group, version, plural, kind, namespaced, metadataOnly: true };
}
