import type { Event, KubernetesObject } from "@stowage/machinery";

/** A text that one cluster has otherwise than another, and what both are compared with in its place. */
export type Replacement = readonly [string | RegExp, string];

type Fields = Readonly<Record<string, unknown>>;

const times = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/gu;
const uids = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gu;
/** After `generateName`; there are no vowels in it, and so no words of ours look like it. */
const suffixes = /(?<=-)[bcdfghjklmnpqrstvwxz2456789]{5}(?![\w-])/gu;
/** Of a template, in the names of ReplicaSets and ControllerRevisions. */
const hashes = /(?<=-)[bcdfghjklmnpqrstvwxz2456789]{7,10}(?![\w])/gu;
/** Of VolumeAttachments: of the volume, the driver and the node, whose names have the id. */
const digests = /(?<=\bcsi-)[0-9a-f]{64}\b/gu;
/** Of nodes, in what our attacher notes of where a volume is. */
const publishedAt = /(?<=\bpublished\.stowage\.dev\/)[0-9a-f]{32}\b/gu;
const addresses = /\b10\.96\.\d{1,3}\.\d{1,3}\b/gu;
/** Lists that come in whichever order: of an EndpointSlice, and of Endpoints. */
const unordered: ReadonlySet<string> = new Set(["endpoints", "subsets"]);
/** Each cluster has its own. */
const certificates = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n?/gu;
const hashLabels: ReadonlySet<string> = new Set([
  "pod-template-hash",
  "controller-revision-hash",
  "controller.kubernetes.io/hash",
]);

/**
 * An object without what no two clusters can have in common: times, uids, versions, generated parts of names, addresses. Of the managed
 * fields, who manages is left: how somebody writes is his own affair, that he does is not.
 */
export function normalObject({ metadata, ...rest }: KubernetesObject, own: readonly Replacement[]): unknown {
  const { managedFields = [], resourceVersion: _version, ...kept } = metadata;
  const managers = managedFields.map(({ manager, operation, subresource = "" }) =>
    `${manager} ${operation} ${subresource}`.trim(),
  );
  return normalValue({ metadata: { ...kept, managers: [...new Set(managers)].toSorted() }, ...rest }, own);
}

export function normalEvent(event: Event, own: readonly Replacement[], hasCount: boolean): unknown {
  const { type, reason, message, involvedObject, source, reportingComponent, count = 1 } = event;
  const { kind, name, apiVersion, fieldPath } = involvedObject;
  const about = { kind, name, apiVersion, ...(fieldPath !== undefined && { fieldPath }) };
  return normalValue({ about, type, reason, message, source, reportingComponent, ...(hasCount && { count }) }, own);
}

/** In one order, whatever the names were before. */
export function sorted(objects: readonly unknown[]): unknown[] {
  return objects
    .map((object) => ({ object, text: JSON.stringify(object) }))
    .toSorted((a, b) => (a.text < b.text ? -1 : 1))
    .map(({ object }) => object);
}

export function normalValue(value: unknown, own: readonly Replacement[], key = ""): unknown {
  // In references, which say as of when: `claimRef` of a PersistentVolume.
  if (key === "resourceVersion") return "<version>";
  if (typeof value === "string") return hashLabels.has(key) ? hashLabel(value) : normalText(value, own);
  if (Array.isArray(value)) {
    const items = value.map((item) => normalValue(item, own));
    return unordered.has(key) ? sorted(items) : items;
  }
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value as Fields).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, field]) => [normalText(name, own), normalValue(field, own, name)]));
}

/** Alone, or after the name of a StatefulSet. */
function hashLabel(value: string): string {
  return value.replace(/[^-]+$/u, "<hash>");
}

function normalText(text: string, own: readonly Replacement[]): string {
  return own
    .reduce((replaced, [what, by]) => replaced.replaceAll(what, by), text)
    .replaceAll(times, "<time>")
    .replaceAll(uids, "<uid>")
    .replaceAll(hashes, "<hash>")
    .replaceAll(suffixes, "<suffix>")
    .replaceAll(digests, "<digest>")
    .replaceAll(publishedAt, "<node>")
    .replaceAll(addresses, "<address>")
    .replaceAll(certificates, "<certificate>");
}
