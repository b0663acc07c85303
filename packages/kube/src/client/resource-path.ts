import type { KubernetesObject, ResourceType } from "@stowage/machinery";
import { StowageError } from "@stowage/machinery";

/** Names one object. A namespace belongs to namespaced resources only. */
export interface ObjectRef {
  readonly namespace?: string;
  readonly name: string;
}

export interface PathParts {
  readonly namespace?: string;
  readonly name?: string;
  readonly subresource?: string;
}

/** `/apis/apps/v1/namespaces/ns/deployments/name/status`. Every part is checked, so that a name cannot climb out of its place. */
export function resourcePath<T extends KubernetesObject>(type: ResourceType<T>, parts: PathParts): string {
  const segments = type.group === "" ? ["api", type.version] : ["apis", type.group, type.version];
  if (parts.namespace !== undefined && parts.namespace !== "") {
    if (!type.namespaced) {
      throw new StowageError(
        "INVALID_REQUEST",
        `${type.kind} is not namespaced, but namespace "${parts.namespace}" was given`,
      );
    }
    segments.push("namespaces", parts.namespace);
  } else if (type.namespaced && parts.name !== undefined) {
    throw new StowageError("INVALID_REQUEST", `${type.kind} "${parts.name}" needs a namespace`);
  }
  segments.push(type.plural);
  if (parts.name !== undefined) segments.push(parts.name);
  if (parts.subresource !== undefined) segments.push(...parts.subresource.split("/"));
  return `/${segments.map(pathSegment).join("/")}`;
}

function pathSegment(segment: string): string {
  if (segment === "" || segment === "." || segment === "..") {
    throw new StowageError("INVALID_REQUEST", `"${segment}" cannot be part of an API path`);
  }
  return encodeURIComponent(segment);
}

export type QueryValue = string | number | boolean | undefined | readonly string[];

/** `?a=1&b=2`, leaving out what is undefined; empty when nothing is left. */
export function queryString(values: Readonly<Record<string, QueryValue>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) continue;
    for (const single of Array.isArray(value) ? value : [value]) query.append(name, String(single));
  }
  const text = query.toString();
  return text === "" ? "" : `?${text}`;
}
