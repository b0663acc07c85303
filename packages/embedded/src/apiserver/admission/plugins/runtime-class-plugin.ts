import type { JsonObject } from "@stowage/machinery/apply";
import { fieldsOf, listOf, sameJson, specOf, textOf, withFields } from "../../strategies/index.ts";
import { amountOf } from "../../strategies/kinds/amounts.ts";
import { type AdmissionPlugin, isCreateOf, type ObjectAdmission, refusal } from "../admission-plugin.ts";
import { clusterResources } from "../cluster-objects.ts";
import { mergedTolerations } from "./tolerations.ts";

/** What a Pod's runtime costs and where it can run is its class's to say. */
export const runtimeClass: AdmissionPlugin = {
  name: "RuntimeClass",
  mutate(admission) {
    const { object } = admission;
    if (!isCreateOf(admission, "pods")) return object;
    const found = classOf(admission);
    if (found === undefined) return object;
    return { ...object, spec: scheduled(admission, withOverhead(admission, found), found) };
  },
  validate(admission) {
    if (!isCreateOf(admission, "pods")) return;
    const { overhead } = specOf(admission.object);
    const fixed = overheadOf(classOf(admission));
    if (fixed === undefined) {
      if (overhead === undefined) return;
      throw refusal(admission, "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead");
    }
    if (!sameAmounts(fixed, fieldsOf(overhead))) throw refusal(admission, mismatch);
  },
};

const mismatch = "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead";

function classOf(admission: ObjectAdmission): JsonObject | undefined {
  const name = specOf(admission.object)["runtimeClassName"];
  if (name === undefined) return undefined;
  const found = admission.cluster.get(clusterResources.runtimeClasses, textOf(name));
  if (found === undefined) throw refusal(admission, `pod rejected: RuntimeClass ${JSON.stringify(name)} not found`);
  return found;
}

function overheadOf(found: JsonObject | undefined): JsonObject | undefined {
  const { overhead } = found ?? {};
  return overhead === undefined ? undefined : fieldsOf(fieldsOf(overhead)["podFixed"]);
}

function withOverhead(admission: ObjectAdmission, found: JsonObject): JsonObject {
  const spec = specOf(admission.object);
  const fixed = overheadOf(found);
  if (fixed === undefined) return spec;
  const given = fieldsOf(spec["overhead"]);
  if (Object.keys(given).length > 0 && !sameAmounts(fixed, given)) throw refusal(admission, mismatch);
  return withFields(spec, { overhead: Object.keys(fixed).length === 0 ? undefined : fixed });
}

function sameAmounts(a: JsonObject, b: JsonObject): boolean {
  const texts = (list: JsonObject) =>
    Object.fromEntries(Object.entries(list).map(([name, value]) => [name, String(amountOf(value)?.canonical())]));
  return sameJson(texts(a), texts(b));
}

function scheduled(admission: ObjectAdmission, spec: JsonObject, found: JsonObject): JsonObject {
  if (found["scheduling"] === undefined) return spec;
  const { nodeSelector, tolerations } = fieldsOf(found["scheduling"]);
  const own = fieldsOf(spec["nodeSelector"]);
  for (const [key, value] of Object.entries(fieldsOf(nodeSelector))) {
    if (own[key] === undefined || own[key] === value) continue;
    const wanted = `runtimeClass.scheduling.nodeSelector[${key}] = ${textOf(value)}`;
    throw refusal(admission, `conflict: ${wanted}; pod.spec.nodeSelector[${key}] = ${textOf(own[key])}`);
  }
  const selector = { ...own, ...fieldsOf(nodeSelector) };
  const merged = mergedTolerations(listOf(spec["tolerations"]), listOf(tolerations));
  return withFields(spec, {
    nodeSelector: Object.keys(selector).length === 0 ? undefined : selector,
    tolerations: merged.length === 0 ? undefined : merged,
  });
}
