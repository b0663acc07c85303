import type { JsonObject, JsonValue } from "@stowage/machinery/apply";
import { fieldsOf, listOf, metadataOf, specOf, textOf, withMetadata } from "../../strategies/index.ts";
import {
  type Admission,
  type AdmissionPlugin,
  isAbout,
  isCreateOf,
  type ObjectAdmission,
  refusal,
} from "../admission-plugin.ts";
import { clusterResources } from "../cluster-objects.ts";
import { claimLimitErrors, podLimitErrors } from "./limit-range-errors.ts";

const annotation = "kubernetes.io/limit-ranger";

/** Containers that say nothing of resources get what the namespace says; what goes beyond its limits is refused. */
export const limitRanger: AdmissionPlugin = {
  name: "LimitRanger",
  mutate(admission) {
    if (!isCreateOf(admission, "pods")) return admission.object;
    return rangesOf(admission).reduce(withDefaults, admission.object);
  },
  validate(admission) {
    const errorsIn = checkOf(admission);
    if (errorsIn === undefined || metadataOf(admission.old ?? {})["deletionTimestamp"] !== undefined) return;
    for (const range of rangesOf(admission)) {
      const errors = [...new Set(errorsIn(limitsOf(range), admission.object))];
      if (errors.length > 0)
        throw refusal(admission, errors.length === 1 ? (errors[0] ?? "") : `[${errors.join(", ")}]`);
    }
  },
};

/** Containers never change but when they are resized. */
function checkOf(admission: ObjectAdmission) {
  const { subresource, resource, operation } = admission;
  const isResize = subresource === "resize" && resource.plural === "pods" && operation === "update";
  if (isResize || isCreateOf(admission, "pods")) return podLimitErrors;
  return isAbout(admission, "persistentvolumeclaims") ? claimLimitErrors : undefined;
}

function rangesOf({ cluster, namespace }: Admission): JsonObject[] {
  return cluster.list(clusterResources.limitRanges, namespace);
}

function limitsOf(range: JsonObject): JsonObject[] {
  return listOf(specOf(range)["limits"]).map(fieldsOf);
}

function withDefaults(pod: JsonObject, range: JsonObject): JsonObject {
  const ofContainers = limitsOf(range).filter(({ type }) => type === "Container");
  const defaults = {
    requests: Object.assign({}, ...ofContainers.map(({ defaultRequest }) => fieldsOf(defaultRequest))) as JsonObject,
    limits: Object.assign({}, ...ofContainers.map((limit) => fieldsOf(limit["default"]))) as JsonObject,
  };
  const spec = specOf(pod);
  const notes: string[] = [];
  const completed = (list: JsonValue | undefined, what: string) =>
    listOf(list).map((each) => withContainerDefaults(fieldsOf(each), defaults, { what, notes }));
  const containers = completed(spec["containers"], "container");
  const initContainers = completed(spec["initContainers"], "init container");
  if (notes.length === 0) return pod;
  const annotations = {
    ...fieldsOf(metadataOf(pod)["annotations"]),
    [annotation]: `LimitRanger plugin set: ${notes.join("; ")}`,
  };
  const lists = { containers, ...(initContainers.length > 0 && { initContainers }) };
  return withMetadata({ ...pod, spec: { ...spec, ...lists } }, { annotations });
}

interface Noted {
  readonly what: string;
  readonly notes: string[];
}

function withContainerDefaults(
  container: JsonObject,
  defaults: { readonly requests: JsonObject; readonly limits: JsonObject },
  { what, notes }: Noted,
): JsonObject {
  const resources = fieldsOf(container["resources"]);
  const changed: Record<string, JsonValue> = { ...resources };
  for (const [field, word] of [
    ["requests", "request"],
    ["limits", "limit"],
  ] as const) {
    const given = fieldsOf(resources[field]);
    const missing = Object.keys(defaults[field]).filter((name) => given[name] === undefined);
    if (missing.length === 0) continue;
    changed[field] = { ...defaults[field], ...given };
    notes.push(`${missing.toSorted().join(", ")} ${word} for ${what} ${textOf(container["name"])}`);
  }
  return { ...container, resources: changed };
}
