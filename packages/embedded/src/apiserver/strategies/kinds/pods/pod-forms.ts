import type { JsonObject, JsonValue } from "@stowage/machinery/apply";
import { fieldsOf, withFields } from "../../json-fields.ts";
import { goDiff, goForm } from "../go-types/index.ts";
import { podTypes } from "./pod-types.ts";

/** Fields of the spec that the original keeps in the security context. */
const ofHost = ["hostNetwork", "hostPID", "hostIPC", "shareProcessNamespace", "hostUsers"] as const;

/** What a message shows of a part of a Pod. */
export function shownPart(type: string, part: JsonValue | undefined): unknown {
  return goForm(podTypes, type, fieldsOf(part));
}

/** A spec as messages show it whole. */
export function shownPodSpec(spec: JsonObject): ReadonlyMap<string, unknown> {
  return goForm(podTypes, "PodSpec", internalSpec(spec));
}

/** How two specs differ, as it is told to whoever tried to change one. */
export function podSpecDiff(before: JsonObject, after: JsonObject): string {
  return goDiff(shownPodSpec(before), shownPodSpec(after));
}

export function ephemeralContainerDiff(before: JsonObject, after: JsonObject): string {
  return goDiff(shownPart("EphemeralContainer", before), shownPart("EphemeralContainer", after));
}

function internalSpec(spec: JsonObject): JsonObject {
  const moved = Object.fromEntries(ofHost.map((name) => [name, spec[name]]));
  return { ...spec, securityContext: withFields(fieldsOf(spec["securityContext"]), moved) };
}
