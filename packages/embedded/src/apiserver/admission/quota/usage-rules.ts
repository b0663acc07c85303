import type { JsonObject } from "@stowage/machinery/apply";
import type { ObjectAdmission } from "../admission-plugin.ts";
import type { ResourceList } from "../resource-lists.ts";

/** Which objects a quota is about, beside the resources that it limits. */
export interface ScopeSelector {
  readonly scopeName: string;
  readonly operator: string;
  readonly values: readonly string[];
}

/** What the objects of one resource use of a quota. */
export interface UsageRules {
  /** Whether the write could change what is used. */
  handles(admission: ObjectAdmission): boolean;
  /** Whether a quota that limits what has this name is about such objects. */
  counts(name: string): boolean;
  usage(object: JsonObject, nowMs: number): ResourceList;
  /** Why the object cannot be counted; undefined when it can. */
  problem?(object: JsonObject, limited: readonly string[]): string | undefined;
  /** No scope selects such objects when left out. */
  isInScope?(object: JsonObject, selector: ScopeSelector): boolean;
}

/** `In`, `NotIn`, `Exists` or `DoesNotExist`; `value` is undefined where there is none. */
export function isSelected({ operator, values }: ScopeSelector, value: string | undefined): boolean {
  if (operator === "Exists") return value !== undefined;
  if (operator === "DoesNotExist") return value === undefined;
  if (operator === "In") return value !== undefined && values.includes(value);
  return value === undefined || !values.includes(value);
}
