import { labelValueErrors } from "@stowage/machinery";
import type { JsonObject, JsonValue } from "@stowage/machinery/apply";
import { duplicate, type FieldError, forbidden, invalid, notSupported, required } from "@stowage/machinery/structural";
import { fieldsOf, listOf, numberOf, sameJson, specOf, textOf, textsOf, withFields } from "../../json-fields.ts";
import type { KindRules } from "../../kind-rules.ts";
import { roundedAmounts } from "../amounts.ts";
import { labelKeyErrors } from "../label-selectors.ts";
import { quantityErrors } from "../pods/checks/containers/resource-errors.ts";
import { changed } from "../pods/defaults/field-defaults.ts";
import { addressBlockErrors, blockFamily } from "./address-blocks.ts";
import { shownPart } from "./cluster-types.ts";

export const nodeRules: KindRules = {
  keepsNewStatus: true,
  defaults: nodeDefaults,
  prepareForCreate: (object) => ({
    ...object,
    spec: withFields(specOf(object), { configSource: undefined }),
    status: withFields(fieldsOf(object["status"]), { config: undefined }),
  }),
  prepareForUpdate: (object, old) =>
    specOf(old)["configSource"] === undefined
      ? { ...object, spec: withFields(specOf(object), { configSource: undefined }) }
      : object,
  prepareForStatusUpdate: (object, old) =>
    fieldsOf(old["status"])["config"] === undefined
      ? { ...object, status: withFields(fieldsOf(object["status"]), { config: undefined }) }
      : object,
  checks: {
    create: (object, metadata) => nodeErrors(object, metadata),
    update: (object, old, { own, changes }) => [...nodeErrors(object, own), ...changes, ...updateErrors(object, old)],
    status: (object, old, { changes }) => [...changes, ...updateErrors(object, old)],
  },
  warnings: nodeWarnings,
};

/** Blocks of addresses have a newer field that takes two, of which the older one has the first. */
function nodeDefaults(object: JsonObject): JsonObject {
  const spec = specOf(object);
  const one = textOf(spec["podCIDR"]);
  const several = textsOf(spec["podCIDRs"]);
  const isOther = one !== "" && several[0] !== one;
  const blocks = isOther ? [one] : several;
  const status = changed(fieldsOf(object["status"]), { capacity: roundedAmounts, allocatable: roundedAmounts });
  const { capacity, allocatable = capacity } = status;
  return {
    ...object,
    ...(blocks.length > 0 && { spec: { ...spec, podCIDR: blocks[0] ?? "", podCIDRs: blocks } }),
    ...(object["status"] !== undefined && { status: withFields(status, { allocatable }) }),
  };
}

function nodeErrors(object: JsonObject, metadata: readonly FieldError[]): FieldError[] {
  const { podCIDRs, taints } = specOf(object);
  return [
    ...metadata,
    ...taintErrors(taints),
    ...resourceErrors(object),
    ...swapErrors(fieldsOf(fieldsOf(object["status"])["nodeInfo"])["swap"]),
    ...featureErrors(object),
    ...blockErrors(textsOf(podCIDRs)),
  ];
}

/** Messages look for them in the metadata. */
function taintErrors(taints: JsonValue | undefined): FieldError[] {
  const seen = new Set<string>();
  return listOf(taints).flatMap((taint, index) => {
    const { key, value, effect } = fieldsOf(taint);
    const path = `metadata.taints[${index}]`;
    const id = `${textOf(effect)}/${textOf(key)}`;
    const isKnown = seen.has(id);
    seen.add(id);
    const problems = labelValueErrors(textOf(value));
    return [
      ...labelKeyErrors(textOf(key), `${path}.key`),
      ...(problems.length > 0 ? [invalid(`${path}.value`, value, problems.join(";"))] : []),
      ...effectErrors(textOf(effect), `${path}.effect`),
      ...(isKnown ? [repeated(path, fieldsOf(taint))] : []),
    ];
  });
}

function repeated(path: string, taint: JsonObject): FieldError {
  const error = duplicate(path, shownPart("Taint", taint));
  return { ...error, body: `${error.body}: taints must be unique by key and effect pair` };
}

function effectErrors(effect: string, path: string): FieldError[] {
  const known = ["NoSchedule", "PreferNoSchedule", "NoExecute"];
  if (effect === "") return [required(path)];
  return known.includes(effect) ? [] : [notSupported(path, effect, known)];
}

function resourceErrors(object: JsonObject): FieldError[] {
  const status = fieldsOf(object["status"]);
  return ["capacity", "allocatable"].flatMap((list) =>
    Object.entries(fieldsOf(status[list])).flatMap(([name, amount]) =>
      quantityErrors(name, amount, `status.${list}.${name}`),
    ),
  );
}

function swapErrors(swap: JsonValue | undefined): FieldError[] {
  const capacity = numberOf(fieldsOf(swap)["capacity"]);
  if (capacity === undefined || capacity > 0) return [];
  return [invalid("metadata.nodeSwapStatus.capacity", capacity, "must be greater than zero")];
}

const featurePattern = /^[A-Z][a-zA-Z0-9]*(\/[a-zA-Z0-9]+)*$/u;
const featureRule =
  "must start with an UpperCamelCase segment, with subsequent segments separated by '/' " +
  "(e.g., MyFeature or MyFeature/mySubFeature), and contain only alphanumeric characters and slashes";

function featureErrors(object: JsonObject): FieldError[] {
  const features = textsOf(fieldsOf(object["status"])["declaredFeatures"]);
  return features.flatMap((feature, index) => {
    const path = `status.declaredFeatures[${index}]`;
    const next = features[index + 1];
    const at = `status.declaredFeatures[${index + 1}]`;
    return [
      ...(featurePattern.test(feature)
        ? []
        : [invalid(path, feature, `invalid feature name "${feature}": ${featureRule}`)]),
      ...(next === feature ? [duplicate(at, next)] : []),
      ...(next !== undefined && next < feature ? [invalid(at, next, "list must be sorted alphabetically")] : []),
    ];
  });
}

function blockErrors(blocks: readonly string[]): FieldError[] {
  const path = "spec.podCIDRs";
  const errors = blocks.flatMap((block, index) => addressBlockErrors(block, `${path}[${index}]`));
  const families = new Set(blocks.map(blockFamily));
  const isTooMuch = blocks.length > 2 || (blocks.length === 2 && families.size < 2);
  const detail = "may specify no more than one CIDR for each IP family";
  return isTooMuch ? [...errors, invalid(path, blocks, detail)] : errors;
}

function updateErrors(object: JsonObject, old: JsonObject): FieldError[] {
  return [
    ...resourceErrors(object),
    ...featureErrors(object),
    ...addressErrors(object),
    ...settledErrors(specOf(object), specOf(old)),
    ...taintErrors(specOf(object)["taints"]),
    ...(sameJson(specOf(object)["externalID"], specOf(old)["externalID"])
      ? []
      : [forbidden("spec.externalID", "may not be updated")]),
  ];
}

function addressErrors(object: JsonObject): FieldError[] {
  const addresses = listOf(fieldsOf(object["status"])["addresses"]).map(fieldsOf);
  return addresses.flatMap((address, index) =>
    addresses.findIndex((other) => sameJson(other, address)) < index
      ? [duplicate(`status.addresses[${index}]`, shownPart("NodeAddress", address))]
      : [],
  );
}

/** What is told once for each block that has changed. */
function settledErrors(now: JsonObject, before: JsonObject): FieldError[] {
  const [blocks, known] = [textsOf(now["podCIDRs"]), textsOf(before["podCIDRs"])];
  const error = forbidden("spec.podCIDRs", 'node updates may not change podCIDR except from "" to valid');
  const changed = known.length === blocks.length ? known.filter((block, index) => block !== blocks[index]) : ["all"];
  const provider = textOf(before["providerID"]);
  const detail = 'node updates may not change providerID except from "" to valid';
  return [
    ...(known.length === 0 ? [] : changed.map(() => error)),
    ...(provider === "" || provider === now["providerID"] ? [] : [forbidden("spec.providerID", detail)]),
  ];
}

function nodeWarnings(object: JsonObject): string[] {
  const { configSource, externalID } = specOf(object);
  return [
    ...(configSource === undefined ? [] : ["spec.configSource: the feature is removed"]),
    ...(textOf(externalID) === "" ? [] : ["spec.externalID: this field is deprecated, and is unused by Kubernetes"]),
  ];
}
