import {
  clusterRoleBindings,
  clusterRoles,
  csiDrivers,
  customResourceDefinitions,
  namespaces,
  type ResourceType,
  roleBindings,
  roles,
  storageClasses,
  validatingAdmissionPolicies,
  validatingAdmissionPolicyBindings,
} from "@stowage/machinery";
import { versionOperatorNamespace } from "@stowage/operators/version";
import { versionOperatorName } from "../up/version-operator-objects.ts";
import list from "./generated/made-objects.json" with { type: "json" };

/** An object that Stowage makes, wherever it is at work. */
export interface MadeObject {
  readonly type: ResourceType;
  readonly name: string;
  readonly namespace?: string;
}

/** In this order: who would make something anew goes first, with its namespace, and definitions last, with all that is of them. */
const types: readonly ResourceType[] = [
  namespaces,
  validatingAdmissionPolicyBindings,
  validatingAdmissionPolicies,
  storageClasses,
  csiDrivers,
  roleBindings,
  roles,
  clusterRoleBindings,
  clusterRoles,
  customResourceDefinitions,
];

/** What is there for the payload and for these drivers, in steps: each is gone before the next begins. */
export function removalSteps(drivers: readonly string[]): readonly (readonly MadeObject[])[] {
  const ofDrivers = Object.entries(list.drivers).flatMap(([name, objects]) => (drivers.includes(name) ? objects : []));
  const objects = [...new Set([...list.payload, ...ofDrivers])].map(parseName);
  return types.flatMap((type) => stepsOf(objects.filter((object) => object.type === type)));
}

const storageOperatorNamespace = "openshift-cluster-storage-operator";

/** The storage operator would make the operators of drivers anew. */
function stepsOf(objects: readonly MadeObject[]): (readonly MadeObject[])[] {
  const isFirst = ({ type, name }: MadeObject) => type === namespaces && name === storageOperatorNamespace;
  return [objects.filter(isFirst), objects.filter((object) => !isFirst(object))].filter(({ length }) => length > 0);
}

/** What `stowage up` brings to a cluster that is there; all else of it is in the namespace. */
export function upSteps(): readonly (readonly MadeObject[])[] {
  const name = versionOperatorName;
  return [
    [{ type: namespaces, name: versionOperatorNamespace }],
    [
      { type: clusterRoleBindings, name },
      { type: clusterRoles, name },
    ],
  ];
}

/** `Kind name` or `Kind namespace/name`. */
function parseName(text: string): MadeObject {
  const [kind, path = ""] = text.split(" ");
  const type = types.find((each) => each.kind === kind);
  if (type === undefined) throw new Error(`${text} is of a kind that is not removed`);
  const [name = "", namespace] = path.split("/").toReversed();
  return { type, name, ...(namespace !== undefined && { namespace }) };
}

export function madeObjectText({ type, name, namespace }: MadeObject): string {
  return `${type.kind} ${namespace === undefined ? "" : `${namespace}/`}${name}`;
}
