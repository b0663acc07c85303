import { createHash } from "node:crypto";
import type { ResourceRegistry } from "./resource-registry.ts";
import type { ServedResource, ServedSubresource } from "./served-resource.ts";

/** `/api` */
export function versionsDocument(serverAddress: string) {
  const serverAddressByClientCIDRs = [{ clientCIDR: "0.0.0.0/0", serverAddress }];
  return { kind: "APIVersions", versions: ["v1"], serverAddressByClientCIDRs };
}

/** `/apis` */
export function groupListDocument(registry: ResourceRegistry) {
  return {
    kind: "APIGroupList",
    apiVersion: "v1",
    groups: groupNames(registry).map((name) => groupOf(registry, name)),
  };
}

/** `/apis/GROUP`; undefined when there is none. */
export function groupDocument(registry: ResourceRegistry, group: string) {
  if (group === "" || !registry.hasGroup(group)) return undefined;
  return { kind: "APIGroup", apiVersion: "v1", ...groupOf(registry, group) };
}

/** `/api/v1`, `/apis/GROUP/VERSION`; undefined when there is none. */
export function resourceListDocument(registry: ResourceRegistry, { group, version }: GroupVersion) {
  const served = registry.list().filter((each) => each.group === group && each.version === version);
  if (served.length === 0) return undefined;
  const resources = served.flatMap((resource) => [
    resourceEntry(resource),
    ...resource.subresources.map((part) => subresourceEntry(resource, part)),
  ]);
  const head = { kind: "APIResourceList", ...(group !== "" && { apiVersion: "v1" }) };
  return { ...head, groupVersion: groupVersionText({ group, version }), resources };
}

/** All that is served, in the order in which discovery names them; the core group is the first. */
export function groupVersions(registry: ResourceRegistry): GroupVersion[] {
  return ["", ...groupNames(registry)].flatMap((group) =>
    versionsOf(registry, group).map((version) => ({ group, version })),
  );
}

export interface GroupVersion {
  readonly group: string;
  readonly version: string;
}

function groupVersionText({ group, version }: GroupVersion): string {
  return group === "" ? version : `${group}/${version}`;
}

/** Of all groups but the core one, in the order in which the real server names them: clients prefer the earlier. */
function groupNames(registry: ResourceRegistry): string[] {
  const names = new Set(registry.list().map(({ group }) => group));
  names.delete("");
  const builtIn = groupOrder.filter((name) => names.has(name));
  const custom = [...names].filter((name) => !builtIn.includes(name));
  return [...builtIn, ...custom.toSorted((a, b) => (serviceName(registry, a) < serviceName(registry, b) ? -1 : 1))];
}

const groupOrder: readonly string[] = [
  "apiregistration.k8s.io",
  "apps",
  "events.k8s.io",
  "authentication.k8s.io",
  "authorization.k8s.io",
  "autoscaling",
  "batch",
  "certificates.k8s.io",
  "networking.k8s.io",
  "policy",
  "rbac.authorization.k8s.io",
  "storage.k8s.io",
  "admissionregistration.k8s.io",
  "apiextensions.k8s.io",
  "scheduling.k8s.io",
  "coordination.k8s.io",
  "node.k8s.io",
  "discovery.k8s.io",
];

/** Of the first APIService of the group; by these the real server orders groups of definitions. */
function serviceName(registry: ResourceRegistry, name: string): string {
  return `${versionsOf(registry, name).toSorted()[0]}.${name}`;
}

/** The preferred one first. */
function versionsOf(registry: ResourceRegistry, name: string): string[] {
  const versions = registry.list().flatMap(({ group, version }) => (group === name ? [version] : []));
  return [...new Set(versions)].toSorted(compareVersions);
}

function groupOf(registry: ResourceRegistry, name: string) {
  const versions = versionsOf(registry, name).map((version) => ({ groupVersion: `${name}/${version}`, version }));
  return { name, versions, preferredVersion: versions[0] };
}

function resourceEntry(resource: ServedResource) {
  const { plural, singular, namespaced, kind, verbs, shortNames, categories } = resource;
  return {
    name: plural,
    singularName: singular,
    namespaced,
    kind,
    verbs,
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
    // Of what is kept; reviews and the like are answered and forgotten.
    ...(verbs.includes("watch") && { storageVersionHash: storageVersionHash(resource) }),
  };
}

function subresourceEntry({ plural }: ServedResource, part: ServedSubresource) {
  const { name, kindGroup, kindVersion, kind, namespaced, verbs } = part;
  const foreign = kindGroup !== undefined && { group: kindGroup, version: kindVersion };
  return { name: `${plural}/${name}`, singularName: "", namespaced, ...foreign, kind, verbs };
}

/** Changes when another version is stored; clients compare it and nothing else. */
function storageVersionHash({ group, version, kind, definition }: ServedResource): string {
  const stored = definition?.spec.versions.find(({ storage }) => storage)?.name ?? version;
  const storedAs = storedElsewhere[`${group}/${version}/${kind}`] ?? `${group}/${stored}/${kind}`;
  return createHash("sha256").update(storedAs).digest().subarray(0, 8).toString("base64");
}

/** Kinds that are kept as those of another group or version. */
const storedElsewhere: Readonly<Record<string, string>> = {
  "admissionregistration.k8s.io/v1/MutatingAdmissionPolicy":
    "admissionregistration.k8s.io/v1beta1/MutatingAdmissionPolicy",
  "admissionregistration.k8s.io/v1/MutatingAdmissionPolicyBinding":
    "admissionregistration.k8s.io/v1beta1/MutatingAdmissionPolicyBinding",
  "apiextensions.k8s.io/v1/CustomResourceDefinition": "apiextensions.k8s.io/v1beta1/CustomResourceDefinition",
  "events.k8s.io/v1/Event": "/v1/Event",
  "autoscaling/v1/HorizontalPodAutoscaler": "autoscaling/v2/HorizontalPodAutoscaler",
};

/** As Kubernetes orders them: `v2`, `v1`, `v1beta2`, `v1beta1`, `v1alpha1`, then the rest by the alphabet. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [parsed(a), parsed(b)];
  if (left === undefined || right === undefined) {
    if (left !== undefined) return -1;
    if (right !== undefined) return 1;
    return a < b ? -1 : 1;
  }
  return right.stability - left.stability || right.major - left.major || right.minor - left.minor;
}

const stabilities: Readonly<Record<string, number>> = { "": 2, beta: 1, alpha: 0 };

function parsed(version: string): { major: number; stability: number; minor: number } | undefined {
  const match = /^v(\d+)(?:(alpha|beta)(\d+))?$/u.exec(version);
  if (match === null) return undefined;
  const [, major, word = "", minor = "0"] = match;
  return { major: Number(major), stability: stabilities[word] ?? 0, minor: Number(minor) };
}
