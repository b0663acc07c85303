import type { Clock } from "@stowage/machinery";
import { methodNotSupported, notWatchable, routeNotFound } from "../../answers/index.ts";
import type { ResourceRegistry, ServedResource } from "../../resources/index.ts";
import type { Store } from "../../store/index.ts";
import type { Strategies } from "../../strategies/index.ts";
import type { ApiRequest } from "../api-request.ts";
import { keyPrefix, pathSegmentProblems } from "../object-key.ts";
import type { Selection } from "./selection.ts";

export interface ReadDeps {
  readonly store: Store;
  readonly registry: ResourceRegistry;
  readonly clock: Clock;
  readonly strategies: Strategies;
}

/** Those that are read as the object is; others have a form of their own. */
const wholeParts: ReadonlySet<string> = new Set(["status", "approval", "ephemeralcontainers", "resize"]);

/** The resource that is to be read. Throws when there is no such, or when it cannot be read in this way. */
export function readTarget({ registry }: ReadDeps, { info }: ApiRequest): ServedResource {
  const { group, version, resource: plural, subresource, verb, rest } = info;
  const resource = registry.find({ group, version, plural });
  if (resource === undefined || !isPlaced(resource, info) || rest.length > 0) throw routeNotFound();
  if (subresource === undefined) {
    if (verb === "watch" && resource.verbs.includes("list") && !resource.verbs.includes(verb))
      throw notWatchable(resource);
    if (!resource.verbs.includes(verb)) throw methodNotSupported();
    return resource;
  }
  const part = resource.subresources.find(({ name }) => name === subresource);
  if (part === undefined) throw routeNotFound();
  if (!part.verbs.includes(verb)) throw methodNotSupported();
  if (!wholeParts.has(subresource)) throw routeNotFound();
  return resource;
}

/** Lists of what is in namespaces may go over all of them; everything else has one place. */
function isPlaced({ namespaced, plural }: ServedResource, { namespace, name }: ApiRequest["info"]): boolean {
  if (namespaced) return namespace !== undefined || name === undefined;
  return namespace === undefined || (plural === "namespaces" && namespace === name);
}

/** Where the selected objects are. */
export interface SearchedKeys {
  readonly prefix: string;
  /** When no other can be meant. */
  readonly only: string | undefined;
}

export function searchedKeys(resource: ServedResource, { info }: ApiRequest, selection: Selection): SearchedKeys {
  const namespace = info.namespace ?? usable(selection.namespace);
  const prefix = keyPrefix(resource, namespace);
  const name = info.name ?? usable(selection.name);
  const isInOnePlace = namespace !== undefined || !resource.namespaced;
  return { prefix, only: name !== undefined && isInOnePlace ? prefix + name : undefined };
}

/** As part of a key; what is not cannot be the name of anything, and is looked for in vain. */
function usable(name: string | undefined): string | undefined {
  return name === undefined || name === "" || pathSegmentProblems(name).length > 0 ? undefined : name;
}
