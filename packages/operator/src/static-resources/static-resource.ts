import type { KubernetesObject } from "@stowage/machinery";

/** An object that is to be, or not to be. */
export interface StaticResource {
  /** The file that it comes from: what failures are told by. */
  readonly asset: string;
  readonly object: KubernetesObject;
  /** Always when left out. */
  readonly shouldCreate?: () => boolean;
  /** Whenever it should not be created, when left out. With both false, it is left as it is. */
  readonly shouldDelete?: () => boolean;
  /** Of an API that not every cluster has: left out where it is missing. */
  readonly optional?: boolean;
}

export type StaticAct = "create" | "delete" | "leave" | "contradiction";

export function actOn({ shouldCreate, shouldDelete }: StaticResource): StaticAct {
  const create = shouldCreate?.() ?? true;
  const remove = shouldDelete?.() ?? !create;
  if (create && remove) return "contradiction";
  if (create) return "create";
  return remove ? "delete" : "leave";
}

/** What others need goes first: what they are in and of, then what gives rights, then who has them. */
const order = ["Namespace", "CustomResourceDefinition", "ClusterRole", "Role", "ClusterRoleBinding", "RoleBinding"];

/** In the order of creation; deletion goes the other way. Within one kind the given order stays. */
export function inOrder(resources: readonly StaticResource[]): StaticResource[] {
  return resources.toSorted((a, b) => rankOf(a) - rankOf(b));
}

/** Those of one rank may be made at the same time. */
export function rankOf({ object }: StaticResource): number {
  const index = order.indexOf(object.kind);
  return index < 0 ? order.length : index;
}
