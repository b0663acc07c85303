import type { JsonObject, JsonValue } from "../patches/json-value.ts";
import type { FieldSet } from "./field-set.ts";
import { fieldPath } from "./path-element.ts";
import type { TypedSchema } from "./typed-schema.ts";
import { typeProblem } from "./validation.ts";

/** What field management must know of one resource or subresource in one version. */
export interface ManagedKind {
  readonly apiVersion: string;
  readonly kind: string;
  /** Empty for the main resource. */
  readonly subresource: string;
  /**
   * The type in each version that is served; undefined for others, of which nobody keeps ownership. Versions have the same
   * shape: an object of one becomes one of another by its `apiVersion` alone.
   */
  schemaOf(apiVersion: string): TypedSchema | undefined;
  /** What a write through this resource cannot change is never owned for it: it leaves that out of a set. */
  filterOf(apiVersion: string): FieldFilter | undefined;
  /** An object in which nothing was set: what a new one is compared to. */
  emptyObject(): JsonObject;
}

export type FieldFilter = (set: FieldSet) => FieldSet;

/** Leaves these fields out, and all below them. */
export function withoutPaths(reset: FieldSet): FieldFilter {
  return (set) => set.recursiveDifference(reset);
}

/** An object, and what it is. */
export interface TypedObject {
  readonly type: TypedSchema;
  readonly value: JsonValue;
}

/** The same object in another version; undefined when that is not served, a string says why it is no object of it. */
export function convertedTo(
  kind: ManagedKind,
  value: JsonObject,
  apiVersion: string,
): TypedObject | string | undefined {
  const type = kind.schemaOf(apiVersion);
  if (type === undefined) return undefined;
  if (value["apiVersion"] === apiVersion) return { type, value };
  const converted = { ...value, apiVersion };
  return typeProblem(type, converted, { allowDuplicates: false }) ?? { type, value: converted };
}

/** `apps/v1, Kind=Deployment`, as messages have it. */
export function kindText(apiVersion: string, kind: string): string {
  return `${apiVersion.includes("/") ? apiVersion : `/${apiVersion}`}, Kind=${kind}`;
}

/** What identifies an object, or is the server's to write, and is owned by nobody. */
const neverOwned: readonly (readonly string[])[] = [
  ["apiVersion"],
  ["kind"],
  ["metadata"],
  ...[
    "name",
    "namespace",
    "creationTimestamp",
    "selfLink",
    "uid",
    "clusterName",
    "generation",
    "managedFields",
    "resourceVersion",
  ].map((name) => ["metadata", name]),
];

export const neverOwnedPaths = neverOwned.map((names) => fieldPath(...names));
