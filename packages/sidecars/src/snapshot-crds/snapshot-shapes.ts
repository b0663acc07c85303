import type { CustomResourceDefinition, ValidationRule } from "@stowage/machinery";
import {
  ageColumn,
  type DefinitionParts,
  definition,
  object,
  oneOf,
  rule,
  type Schema,
  string,
  time,
} from "@stowage/machinery/crds";

export interface SnapshotDefinitionParts extends Omit<DefinitionParts, "annotations" | "rules"> {
  /** Kubernetes guards the groups of k8s.io: each of their definitions names the change by which its API was approved. */
  readonly approvedBy: string;
}

export function snapshotDefinition(parts: SnapshotDefinitionParts): CustomResourceDefinition {
  const { approvedBy, columns = [], ...others } = parts;
  const annotations = { "api-approved.kubernetes.io": approvedBy };
  return definition({ ...others, annotations, columns: [...columns, ageColumn] });
}

/** Of an object that has one of two fields, and keeps it. */
export function eitherFor(a: string, b: string): ValidationRule[] {
  return [
    rule(`!has(oldSelf.${a}) || has(self.${a})`, `${a} is required once set`),
    rule(`!has(oldSelf.${b}) || has(self.${b})`, `${b} is required once set`),
    rule(
      `(has(self.${a}) && !has(self.${b})) || (!has(self.${a}) && has(self.${b}))`,
      `exactly one of ${a} and ${b} must be set`,
    ),
  ];
}

/** Left out, a default is filled in; the empty name would be neither. */
export function className(field: string, description: string): Schema {
  return string(description, {
    "x-kubernetes-validations": [rule("size(self) > 0", `${field} must not be the empty string when set`)],
  });
}

export function deletionPolicy(description: string, more: Schema = {}): Schema {
  return oneOf(description, ["Delete", "Retain"], more);
}

export function failure(description: string): Schema {
  return object(description, {
    message: string("What went wrong, without secrets."),
    time: time("When it went wrong."),
  });
}
