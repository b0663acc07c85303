import type { JsonObject } from "@stowage/machinery/apply";
import { fieldsOf, listOf, textOf } from "../../strategies/index.ts";

/** What is wrong with a Pod: in a word, and where. */
export interface Violation {
  readonly reason: string;
  readonly detail: string;
}

/** A Pod, or what will become one. */
export interface CheckedPod {
  readonly annotations: JsonObject;
  readonly spec: JsonObject;
}

export type SecurityCheck = (pod: CheckedPod) => Violation | undefined;

export interface NamedContext {
  readonly name: string;
  readonly container: JsonObject;
  /** Empty where there is none. */
  readonly context: JsonObject;
}

export function containersOf(spec: JsonObject): NamedContext[] {
  return ["initContainers", "containers", "ephemeralContainers"]
    .flatMap((field) => [...listOf(spec[field])])
    .map(fieldsOf)
    .map((container) => ({
      name: textOf(container["name"]),
      container,
      context: fieldsOf(container["securityContext"]),
    }));
}

export function podContext(spec: JsonObject): JsonObject {
  return fieldsOf(spec["securityContext"]);
}

/** `container "a"`, `containers "a", "b"` */
export function named(one: string, names: readonly string[]): string {
  return `${names.length === 1 ? one : `${one}s`} ${quoted(names)}`;
}

export function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(", ");
}

/** Once each, in the order of the alphabet. */
export function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)].toSorted();
}

/** `pod and container "a"`; empty when nobody is meant. */
export function setters(isPod: boolean, containers: readonly string[]): string {
  const parts = [...(isPod ? ["pod"] : []), ...(containers.length === 0 ? [] : [named("container", containers)])];
  return parts.join(" and ");
}

/** In a user namespace of its own, root is nobody outside. */
export function hasOwnUsers(spec: JsonObject): boolean {
  return spec["hostUsers"] === false;
}

export function isWindows(spec: JsonObject): boolean {
  return fieldsOf(spec["os"])["name"] === "windows";
}
