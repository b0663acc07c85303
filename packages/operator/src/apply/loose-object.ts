import type { KubernetesObject } from "@stowage/machinery";

/** An object of any kind, by its fields: rules look at few of them, and kinds of CRDs have no types here. */
export interface LooseObject extends KubernetesObject {
  [field: string]: unknown;
}

export type Fields = Record<string, unknown>;

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A field that is an object, or an empty one where there is none. */
export function fieldsOf(holder: Fields, name: string): Fields {
  const value = holder[name];
  return isFields(value) ? value : {};
}

/** A field that is a list of objects, or an empty one where there is none. */
export function itemsOf(holder: Fields, name: string): Fields[] {
  const value = holder[name];
  return Array.isArray(value) ? value.filter(isFields) : [];
}

export function groupOf(object: Pick<KubernetesObject, "apiVersion">): string {
  const slash = object.apiVersion.indexOf("/");
  return slash < 0 ? "" : object.apiVersion.slice(0, slash);
}
