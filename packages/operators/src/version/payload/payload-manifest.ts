import type { KubernetesObject } from "@stowage/machinery";

/** One object of a payload. */
export interface PayloadManifest {
  /** The file that it comes from, without its folder. */
  readonly file: string;
  readonly object: KubernetesObject;
}

const createOnlyAnnotation = "release.openshift.io/create-only";
const deleteAnnotation = "release.openshift.io/delete";
const includePrefix = "include.release.openshift.io/";

/** Made when it is missing, and never changed. */
export function isCreateOnly({ object }: PayloadManifest): boolean {
  return object.metadata.annotations?.[createOnlyAnnotation] === "true";
}

/** What earlier payloads had and must go. */
export function isDeletion({ object }: PayloadManifest): boolean {
  return object.metadata.annotations?.[deleteAnnotation] === "true";
}

export function isClusterOperator({ object }: PayloadManifest): boolean {
  return object.kind === "ClusterOperator" && object.apiVersion.startsWith("config.openshift.io/");
}

/** Of OpenShift and of Prometheus' operator: a cluster without them is whole. */
const optionalGroups: ReadonlySet<string> = new Set([
  "cloudcredential.openshift.io",
  "console.openshift.io",
  "monitoring.coreos.com",
  "security.openshift.io",
]);

/** Left out, without a complaint, where the cluster does not have its API. */
export function isOptional({ object }: PayloadManifest): boolean {
  return optionalGroups.has(groupOf(object));
}

/**
 * What keeps the object from being understood, before anything is applied. A misspelt "true" must not be taken for "no": the
 * object would be made where it should go.
 */
export function annotationProblem({ object }: PayloadManifest): string | undefined {
  for (const key of [createOnlyAnnotation, deleteAnnotation]) {
    const value = object.metadata.annotations?.[key];
    if (value !== undefined && value !== "true") return `${key} is ${JSON.stringify(value)} and can only be "true"`;
  }
  return undefined;
}

/**
 * Whether the object is for clusters of this profile. One that names no profile at all is for all of them: OpenShift leaves such
 * objects out, and a payload that was not made for it would be empty.
 */
export function isOfProfile({ object }: PayloadManifest, profile: string): boolean {
  const annotations = object.metadata.annotations ?? {};
  const profiles = Object.keys(annotations).filter((key) => key.startsWith(includePrefix));
  return profiles.length === 0 || annotations[includePrefix + profile] === "true";
}

/** Names the object to people: `deployment "openshift-x/y"`. */
export function manifestName({ object }: PayloadManifest): string {
  const { name, namespace } = object.metadata;
  return `${object.kind.toLowerCase()} "${namespace === undefined ? "" : `${namespace}/`}${name}"`;
}

/** The same for two manifests of one object, whatever its version. */
export function manifestKey({ object }: PayloadManifest): string {
  const { name, namespace = "" } = object.metadata;
  return `${groupOf(object)}/${object.kind}/${namespace}/${name}`;
}

export function groupOf({ apiVersion }: Pick<KubernetesObject, "apiVersion">): string {
  const slash = apiVersion.indexOf("/");
  return slash < 0 ? "" : apiVersion.slice(0, slash);
}
