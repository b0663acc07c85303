import type { KubernetesObject } from "../../packages/machinery/src/index.ts";
import { parseManifests } from "../../packages/operator/src/index.ts";
import { driverOperators } from "../../packages/operators/src/cluster-storage/index.ts";
import { validatorObjects } from "../../packages/operators/src/cluster-storage/populators/index.ts";
import type { Payload } from "../../packages/operators/src/version/index.ts";
import { layOutJson } from "./json-layout.ts";

/** Of kinds that every cluster has. What is in a namespace of ours goes with it, and what is of a definition with that. */
const kinds: ReadonlySet<string> = new Set([
  "CSIDriver",
  "ClusterRole",
  "ClusterRoleBinding",
  "CustomResourceDefinition",
  "Namespace",
  "Role",
  "RoleBinding",
  "StorageClass",
  "ValidatingAdmissionPolicy",
  "ValidatingAdmissionPolicyBinding",
]);
const unknown = "unknown";

/**
 * The names of what Stowage makes in a cluster, for `stowage uninstall`: of its payload and of what the storage operator makes by itself, and
 * of each driver that there may be. `files` are those of the drivers and of their operators, as they are generated now.
 */
export function uninstallList({ manifests }: Payload, files: ReadonlyMap<string, string>): string {
  const payload = [...manifests.map(({ object }) => object), ...validatorObjects()];
  const namespaces = new Set(payload.filter(({ kind }) => kind === "Namespace").map(({ metadata }) => metadata.name));
  const listed = (objects: readonly KubernetesObject[]) => [
    ...new Set(objects.filter((object) => isListed(object, namespaces)).map(nameOf)),
  ];
  const drivers = driverOperators.map(({ id, driverName }) => [driverName, listed(objectsOf(id, files))] as const);
  return layOutJson({ payload: listed(payload), drivers: Object.fromEntries(drivers) });
}

function objectsOf(id: string, files: ReadonlyMap<string, string>): KubernetesObject[] {
  const folder = `packages/operators/src/cluster-storage/assets/csidriveroperators/${id}/`;
  return [...files]
    .filter(([path]) => path.startsWith(folder) || path === `packages/operators/rendered/${id}.yaml`)
    .flatMap(([name, text]) => parseManifests({ name, text: text.replaceAll(/\$\{[A-Z_]+\}/gu, unknown) }));
}

function isListed({ kind, metadata }: KubernetesObject, namespaces: ReadonlySet<string | undefined>): boolean {
  const { name = "", namespace } = metadata;
  const isElsewhere = namespace === undefined || (namespace !== unknown && !namespaces.has(namespace));
  return kinds.has(kind) && !name.includes(unknown) && isElsewhere;
}

/** `Kind name` or `Kind namespace/name`. */
function nameOf({ kind, metadata: { name, namespace } }: KubernetesObject): string {
  return `${kind} ${namespace === undefined ? "" : `${namespace}/`}${name}`;
}
