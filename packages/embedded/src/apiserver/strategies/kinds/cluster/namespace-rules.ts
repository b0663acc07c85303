import { dns1123LabelErrors, formatTime } from "@stowage/machinery";
import type { JsonObject } from "@stowage/machinery/apply";
import { type FieldError, invalid } from "@stowage/machinery/structural";
import { fieldsOf, metadataOf, specOf, textOf, textsOf, withFields, withMetadata } from "../../json-fields.ts";
import type { KindRules } from "../../kind-rules.ts";
import { finalizerNameErrors } from "../../names.ts";
import { withDefaults } from "../field-defaults.ts";

/** All that is in a namespace goes before it, which the finalizer in its spec stands for. */
const contentFinalizer = "kubernetes";
/** By which selectors of namespaces can mean one. */
const nameLabel = "kubernetes.io/metadata.name";

export const namespaceRules: KindRules = {
  nameProblems: (name, isPrefix) =>
    dns1123LabelErrors(isPrefix && name.length > 1 && name.endsWith("-") ? `${name.slice(0, -2)}a` : name),
  defaults(object) {
    const form = named(object);
    return { ...form, status: withDefaults(fieldsOf(form["status"]), { phase: "Active" }) };
  },
  prepareForCreate(object) {
    const finalizers = textsOf(specOf(object)["finalizers"]);
    const all = finalizers.includes(contentFinalizer) ? finalizers : [...finalizers, contentFinalizer];
    return named({ ...object, spec: { ...specOf(object), finalizers: all }, status: { phase: "Active" } });
  },
  prepareForUpdate(object, old) {
    const spec = withFields(specOf(object), { finalizers: specOf(old)["finalizers"] });
    return named({ ...object, spec });
  },
  checks: {
    create: (object, metadata) => [...metadata, ...finalizerErrors(object)],
    update: (object, _, { own, changes }) => [...own, ...finalizerErrors(object), ...changes],
    status: (object, _, { changes }) => [...changes, ...phaseErrors(object)],
  },
  beginDeletion: (object, nowMs) => ({
    ...withMetadata(object, { deletionTimestamp: formatTime(nowMs) }),
    status: { ...fieldsOf(object["status"]), phase: "Terminating" },
  }),
  mayBeRemoved: (object) => textsOf(specOf(object)["finalizers"]).length === 0,
};

/** A name that is to be generated is not known yet. */
function named(object: JsonObject): JsonObject {
  const { name, labels } = metadataOf(object);
  if (textOf(name) === "") return object;
  return withMetadata(object, { labels: { ...fieldsOf(labels), [nameLabel]: textOf(name) } });
}

function finalizerErrors(object: JsonObject): FieldError[] {
  return textsOf(specOf(object)["finalizers"]).flatMap((name) => finalizerNameErrors(name, "spec.finalizers"));
}

/** Of the subresource `finalize`, which is where the finalizers of the spec are written. */
export function finalizeErrors(object: JsonObject): FieldError[] {
  return textsOf(specOf(object)["finalizers"]).flatMap((name, index) =>
    finalizerNameErrors(name, `spec.finalizers[${index}]`),
  );
}

function phaseErrors(object: JsonObject): FieldError[] {
  const phase = textOf(fieldsOf(object["status"])["phase"]);
  const isDeleted = metadataOf(object)["deletionTimestamp"] !== undefined;
  const [wanted, when] = isDeleted ? ["Terminating", "is not empty"] : ["Active", "is empty"];
  if (phase === wanted) return [];
  return [invalid("status.Phase", phase, `may only be '${wanted}' if \`deletionTimestamp\` ${when}`)];
}
