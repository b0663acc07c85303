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
  const names = [...new Set(registry.list().map(({ group }) => group))].filter((group) => group !== "");
  return { kind: "APIGroupList", apiVersion: "v1", groups: names.map((name) => groupOf(registry, name)) };
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

interface GroupVersion {
  readonly group: string;
  readonly version: string;
}

function groupVersionText({ group, version }: GroupVersion): string {
  return group === "" ? version : `${group}/${version}`;
}

function groupOf(registry: ResourceRegistry, name: string) {
  const served = registry.list().filter(({ group }) => group === name);
  const versions = [...new Set(served.map(({ version }) => version))]
    .toSorted(compareVersions)
    .map((version) => ({ groupVersion: `${name}/${version}`, version }));
  return { name, versions, preferredVersion: versions[0] };
}

function resourceEntry({ plural, singular, namespaced, kind, verbs, ...resource }: ServedResource) {
  const { group, version, shortNames, categories } = resource;
  return {
    name: plural,
    singularName: singular,
    namespaced,
    kind,
    verbs,
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
    // Of what is kept; reviews and the like are answered and forgotten.
    ...(verbs.includes("watch") && { storageVersionHash: storageVersionHash(group, version, kind) }),
  };
}

function subresourceEntry({ plural }: ServedResource, part: ServedSubresource) {
  const { name, kindGroup, kindVersion, kind, namespaced, verbs } = part;
  const foreign = kindGroup !== undefined && { group: kindGroup, version: kindVersion };
  return { name: `${plural}/${name}`, singularName: "", namespaced, ...foreign, kind, verbs };
}

/** Changes when another version is stored; clients compare it and nothing else. */
function storageVersionHash(group: string, version: string, kind: string): string {
  const digest = createHash("sha256").update(`${group}/${version}/${kind}`).digest();
  return digest.subarray(0, 8).toString("base64");
}

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
