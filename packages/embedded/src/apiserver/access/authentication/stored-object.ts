import type { ObjectMeta } from "@stowage/machinery";
import type { Store } from "../../store/index.ts";

/** What is asked about objects of the core group here. */
export interface CoreObject {
  readonly metadata: ObjectMeta;
  readonly spec?: { readonly serviceAccountName?: string; readonly nodeName?: string };
  /** Of Secrets. */
  readonly data?: Readonly<Record<string, string>>;
}

export interface CoreObjectName {
  readonly plural: "nodes" | "pods" | "secrets" | "serviceaccounts";
  /** Undefined of nodes. */
  readonly namespace?: string;
  readonly name: string;
}

export function readCoreObject(store: Store, { plural, namespace, name }: CoreObjectName): CoreObject | undefined {
  const within = namespace === undefined ? "" : `${namespace}/`;
  const stored = store.get(`/registry/core/${plural}/${within}${name}`);
  return stored && (JSON.parse(stored.text) as CoreObject);
}
