import { badRequest } from "../answers/index.ts";
import { isEvent } from "./event-forms.ts";

/** Of a resource, what its objects are kept under; all versions of it share them, and for events both groups. */
interface KeptResource {
  readonly group: string;
  readonly plural: string;
  readonly namespaced: boolean;
}

interface ObjectName {
  /** Not looked at where the resource is the cluster's. */
  readonly namespace: string | undefined;
  readonly name: string;
}

/** `/registry/apps/deployments/NAMESPACE/NAME`, `/registry/core/nodes/NAME`. Throws when no object can have that name. */
export function objectKey(resource: KeptResource, { namespace, name }: ObjectName): string {
  const problems = pathSegmentProblems(name);
  if (problems.length > 0) {
    throw badRequest(`Name parameter invalid: ${JSON.stringify(name)}: ${problems.join(";")}`);
  }
  return keyPrefix(resource, namespace) + name;
}

/** What the keys of all its objects begin with, or of those in one namespace. */
export function keyPrefix({ group, plural, namespaced }: KeptResource, namespace?: string): string {
  const keptIn = group === "" || isEvent({ group, plural }) ? "core" : group;
  const root = `/registry/${keptIn}/${plural}/`;
  return namespaced && namespace !== undefined ? `${root}${namespace}/` : root;
}

/** What the keys of all objects of the same resource begin with. */
export function resourcePrefixOf(key: string): string {
  const afterGroup = key.indexOf("/", "/registry/".length);
  return key.slice(0, key.indexOf("/", afterGroup + 1) + 1);
}

/** The name and the namespace, which need no decoding of the object. The namespace of what is the cluster's is empty. */
export function namesInKey(key: string): { readonly namespace: string; readonly name: string } {
  const rest = key.slice(resourcePrefixOf(key).length);
  const slash = rest.indexOf("/");
  return slash < 0 ? { namespace: "", name: rest } : { namespace: rest.slice(0, slash), name: rest.slice(slash + 1) };
}

/** Why a name cannot be part of a path, in the words of the real server. */
export function pathSegmentProblems(name: string): string[] {
  if (name === "." || name === "..") return [`may not be '${name}'`];
  return ["/", "%"]
    .filter((character) => name.includes(character))
    .map((character) => `may not contain '${character}'`);
}
