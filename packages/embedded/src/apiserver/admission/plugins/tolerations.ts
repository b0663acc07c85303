import type { JsonObject, JsonValue } from "@stowage/machinery/apply";
import { fieldsOf, listOf, numberOf, sameJson, specOf, textOf } from "../../strategies/index.ts";
import { type AdmissionPlugin, isAbout, isCreateOf } from "../admission-plugin.ts";

const notReady = "node.kubernetes.io/not-ready";
const unreachable = "node.kubernetes.io/unreachable";
const graceSeconds = 300;

/** Pods stay for a while on a node that is in trouble, unless they say otherwise. */
export const defaultTolerationSeconds: AdmissionPlugin = {
  name: "DefaultTolerationSeconds",
  mutate(admission) {
    const { object } = admission;
    if (!isAbout(admission, "pods")) return object;
    const tolerations = listOf(specOf(object)["tolerations"]);
    const added = [notReady, unreachable]
      .filter((key) => !tolerations.some((each) => toleratesLeaving(fieldsOf(each), key)))
      .map((key) => ({ key, operator: "Exists", effect: "NoExecute", tolerationSeconds: graceSeconds }));
    if (added.length === 0) return object;
    return { ...object, spec: { ...specOf(object), tolerations: [...tolerations, ...added] } };
  },
};

function toleratesLeaving(toleration: JsonObject, key: string): boolean {
  const [given, effect] = [textOf(toleration["key"]), textOf(toleration["effect"])];
  return (given === key || given === "") && (effect === "NoExecute" || effect === "");
}

/** A node is no place for Pods before it has said that it is ready. */
export const taintNodesByCondition: AdmissionPlugin = {
  name: "TaintNodesByCondition",
  mutate(admission) {
    const { object } = admission;
    if (!isCreateOf(admission, "nodes")) return object;
    const taints = listOf(specOf(object)["taints"]);
    const isTainted = taints.map(fieldsOf).some(({ key, effect }) => key === notReady && effect === "NoSchedule");
    if (isTainted) return object;
    return { ...object, spec: { ...specOf(object), taints: [...taints, { key: notReady, effect: "NoSchedule" }] } };
  },
};

/** Both lists in one; what another of them covers is left out. */
export function mergedTolerations(first: readonly JsonValue[], second: readonly JsonValue[]): JsonObject[] {
  const all = [...first, ...second].map(fieldsOf);
  const merged: JsonObject[] = [];
  for (const [index, each] of all.entries()) {
    const isCoveredLater = all.slice(index + 1).some((later) => !sameJson(each, later) && covers(later, each));
    if (!isCoveredLater && !merged.some((kept) => covers(kept, each))) merged.push(each);
  }
  return merged;
}

function covers(wide: JsonObject, narrow: JsonObject): boolean {
  if (sameJson(wide, narrow)) return true;
  const operator = textOf(wide["operator"]);
  const isForAllKeys = textOf(wide["key"]) === "" && operator === "Exists";
  if (textOf(narrow["key"]) !== textOf(wide["key"]) && !isForAllKeys) return false;
  const effect = textOf(wide["effect"]);
  if (effect !== "" && effect !== textOf(narrow["effect"])) return false;
  if (effect === "NoExecute" && !lastsAsLong(wide, narrow)) return false;
  if (operator === "Exists") return true;
  const isEqual = operator === "Equal" || operator === "";
  return isEqual && narrow["operator"] === "Equal" && textOf(narrow["value"]) === textOf(wide["value"]);
}

function lastsAsLong(wide: JsonObject, narrow: JsonObject): boolean {
  const [most, wanted] = [numberOf(wide["tolerationSeconds"]), numberOf(narrow["tolerationSeconds"])];
  return most === undefined || (wanted !== undefined && wanted <= most);
}
