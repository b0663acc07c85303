import { methodNotSupported, routeNotFound } from "../answers/index.ts";
import type { ApiRequest } from "../verbs/index.ts";
import type { WriteDeps, WriteTarget } from "../verbs/writes/write-target.ts";

/** What the subresource hangs on, as the target of a write. Throws when there is no such, or when it cannot be asked in this way. */
export function parentTarget(deps: WriteDeps, request: ApiRequest): WriteTarget {
  const { group, version, resource: plural, subresource, verb, namespace, name } = request.info;
  const resource = deps.registry.find({ group, version, plural });
  const part = resource?.subresources.find((each) => each.name === subresource);
  if (resource === undefined || part === undefined || name === undefined) throw routeNotFound();
  if (resource.namespaced !== (namespace !== undefined)) throw routeNotFound();
  if (!part.verbs.includes(verb)) throw methodNotSupported();
  const strategy = deps.strategies.find(resource);
  if (strategy === undefined) throw routeNotFound();
  return { deps, request, resource, strategy, namespace: namespace ?? "" };
}
