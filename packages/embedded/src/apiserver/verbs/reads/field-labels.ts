import type { FieldMatcher } from "@stowage/machinery";
import { badRequest } from "../../answers/index.ts";
import type { ServedResource } from "../../resources/index.ts";

/** An object as it was decoded; what is in it is looked at with care. */
export type DecodedObject = Readonly<Record<string, unknown>>;

type FieldReader = (object: DecodedObject) => string;

interface FieldLabels {
  /** By the label that the client gives; the name and the namespace are known without. */
  readonly readers: Readonly<Record<string, FieldReader>>;
  readonly hasNamespace?: boolean;
  readonly refusal?: (label: string) => string;
}

const unsupported = (label: string) => `field label not supported: ${label}`;

const at =
  (...path: readonly string[]): FieldReader =>
  (object) =>
    textOf(valueAt(object, path));

const withDefault =
  (value: string, ...path: readonly string[]): FieldReader =>
  (object) =>
    at(...path)(object) || value;

/** The one that is set. Events are kept with the names of either group. */
const either =
  (...readers: readonly FieldReader[]): FieldReader =>
  (object) =>
    readers.map((read) => read(object)).find((value) => value !== "") ?? "";

const regardedFields = ["kind", "namespace", "name", "uid", "apiVersion", "resourceVersion", "fieldPath"];
const regarded = (prefix: string) =>
  Object.fromEntries(
    regardedFields.map((name) => [`${prefix}.${name}`, either(at("involvedObject", name), at("regarding", name))]),
  );
const reporter = either(at("reportingComponent"), at("reportingController"));

/** Of the kinds that have more than a name and a namespace to select by. */
const labelsByKind: Readonly<Record<string, FieldLabels>> = {
  "/v1/Pod": {
    readers: {
      "spec.nodeName": at("spec", "nodeName"),
      // What clients of long ago say for spec.nodeName.
      "spec.host": at("spec", "nodeName"),
      "spec.restartPolicy": at("spec", "restartPolicy"),
      "spec.schedulerName": at("spec", "schedulerName"),
      "spec.serviceAccountName": at("spec", "serviceAccountName"),
      "spec.hostNetwork": withDefault("false", "spec", "hostNetwork"),
      "status.phase": at("status", "phase"),
      "status.podIP": either(at("status", "podIPs", "0", "ip"), at("status", "podIP")),
      // Taken, and never set on any pod: as the real server has it.
      "status.podIPs": () => "",
      "status.nominatedNodeName": at("status", "nominatedNodeName"),
    },
  },
  "/v1/Node": { readers: { "spec.unschedulable": withDefault("false", "spec", "unschedulable") }, hasNamespace: false },
  "/v1/Namespace": { readers: { "status.phase": at("status", "phase") }, hasNamespace: false },
  "/v1/Secret": { readers: { type: at("type") } },
  "/v1/Service": { readers: { "spec.clusterIP": at("spec", "clusterIP"), "spec.type": at("spec", "type") } },
  "/v1/ReplicationController": { readers: { "status.replicas": withDefault("0", "status", "replicas") } },
  "/v1/Event": {
    readers: {
      ...regarded("involvedObject"),
      reason: at("reason"),
      reportingComponent: reporter,
      source: either(at("source", "component"), at("deprecatedSource", "component"), reporter),
      type: at("type"),
    },
  },
  "events.k8s.io/v1/Event": {
    readers: {
      ...regarded("regarding"),
      reason: at("reason"),
      reportingController: reporter,
      type: at("type"),
    },
  },
  "batch/v1/Job": {
    readers: { "status.successful": withDefault("0", "status", "succeeded") },
    refusal: (label) => `field label ${JSON.stringify(label)} not supported for Job`,
  },
  "certificates.k8s.io/v1/CertificateSigningRequest": {
    readers: { "spec.signerName": at("spec", "signerName") },
    hasNamespace: false,
  },
};

const plainLabels: FieldLabels = {
  readers: {},
  refusal: (label) =>
    `${JSON.stringify(label)} is not a known field selector: only "metadata.name", "metadata.namespace"`,
};

/** Throws when the resource cannot be selected by one of them. */
export function checkFieldLabels(fields: FieldMatcher, resource: ServedResource): void {
  const { readers, hasNamespace = true, refusal = unsupported } = labelsOf(resource);
  for (const { field } of fields.requirements) {
    const isKnown = field === "metadata.name" || (hasNamespace && field === "metadata.namespace");
    if (!isKnown && !Object.hasOwn(readers, field)) throw badRequest(refusal(field));
  }
}

/** How to read a field of an object, beside its name and its namespace. */
export function fieldReader(resource: ServedResource): (object: DecodedObject, label: string) => string {
  const { readers } = labelsOf(resource);
  return (object, label) => (Object.hasOwn(readers, label) ? (readers[label]?.(object) ?? "") : "");
}

function labelsOf(resource: ServedResource): FieldLabels {
  const { group, version, kind, definition } = resource;
  if (definition === undefined) return labelsByKind[`${group}/${version}/${kind}`] ?? plainLabels;
  const served = definition.spec.versions.find(({ name }) => name === version);
  const paths = (served?.selectableFields ?? []).map(({ jsonPath }) => jsonPath.replace(/^\./u, ""));
  const readers = Object.fromEntries(paths.map((path) => [path, at(...path.split("."))]));
  return { readers, hasNamespace: resource.namespaced };
}

function valueAt(object: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, name) =>
      typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined,
    object,
  );
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : "";
}
