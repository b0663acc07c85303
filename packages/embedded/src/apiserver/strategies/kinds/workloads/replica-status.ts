import type { JsonObject } from "@stowage/machinery/apply";
import { type FieldError, invalid } from "@stowage/machinery/structural";
import { fieldsOf, numberOf } from "../../json-fields.ts";
import { nonNegativeErrors } from "../number-checks.ts";

interface ReplicaCounts {
  readonly counts: readonly string[];
  /** Which cannot be more than there are replicas. */
  readonly parts: readonly string[];
  /** How messages name the replicas that are ready. */
  readonly ready: string;
}

export function replicaStatusErrors(status: JsonObject, { counts, parts, ready }: ReplicaCounts): FieldError[] {
  const more = (name: string, than: string) => countOf(status, name) > countOf(status, than);
  const error = (name: string, detail: string) => invalid(`status.${name}`, status[name] ?? 0, detail);
  const isInvalid = more("availableReplicas", "readyReplicas");
  return [
    ...nonNegativeErrors(status, "status", counts),
    ...parts
      .filter((name) => more(name, "replicas"))
      .map((name) => error(name, "cannot be greater than status.replicas")),
    ...(isInvalid ? [error("availableReplicas", `cannot be greater than ${ready}`)] : []),
  ];
}

/** How often names of what a controller makes were taken; it only rises. */
export function collisionErrors(object: JsonObject, old: JsonObject): FieldError[] {
  const before = numberOf(fieldsOf(old["status"])["collisionCount"]);
  const now = countOf(fieldsOf(object["status"]), "collisionCount");
  const isLess = before !== undefined && (fieldsOf(object["status"])["collisionCount"] === undefined || now < before);
  return isLess ? [invalid("status.collisionCount", now, "cannot be decremented")] : [];
}

function countOf(status: JsonObject, name: string): number {
  return numberOf(status[name]) ?? 0;
}
