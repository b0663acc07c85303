import type { JsonObject } from "@stowage/machinery/apply";
import type { Store, Transaction } from "../store/index.ts";
import { keyPrefix } from "../verbs/object-key.ts";

/** A resource whose objects have a say in what becomes of others. */
export interface ClusterResource {
  readonly group: string;
  readonly plural: string;
  readonly namespaced: boolean;
}

/** The other objects of the cluster, as a transaction sees them. */
export class ClusterObjects {
  readonly #store: Store;
  readonly #transaction: Transaction;

  constructor(store: Store, transaction: Transaction) {
    this.#store = store;
    this.#transaction = transaction;
  }

  /** Undefined when there is none, and for a name that none can have. */
  get(resource: ClusterResource, name: string, namespace?: string): JsonObject | undefined {
    return this.#read(keyPrefix(resource, namespace) + name);
  }

  /** In the order of their names. One that is created in the same turn of the event loop may not be among them yet. */
  list(resource: ClusterResource, namespace?: string): JsonObject[] {
    const page = this.#store.list(keyPrefix(resource, namespace));
    return (page?.objects ?? []).map(({ key }) => this.#read(key)).filter((object) => object !== undefined);
  }

  #read(key: string): JsonObject | undefined {
    const stored = this.#transaction.get(key);
    return stored && (JSON.parse(stored.text) as JsonObject);
  }
}

const inNamespace = (plural: string, group = ""): ClusterResource => ({ group, plural, namespaced: true });
const ofCluster = (plural: string, group = ""): ClusterResource => ({ group, plural, namespaced: false });

export const clusterResources = {
  budgets: inNamespace("poddisruptionbudgets", "policy"),
  ingressClasses: ofCluster("ingressclasses", "networking.k8s.io"),
  limitRanges: inNamespace("limitranges"),
  namespaces: ofCluster("namespaces"),
  nodes: ofCluster("nodes"),
  pods: inNamespace("pods"),
  priorityClasses: ofCluster("priorityclasses", "scheduling.k8s.io"),
  quotas: inNamespace("resourcequotas"),
  runtimeClasses: ofCluster("runtimeclasses", "node.k8s.io"),
  serviceAccounts: inNamespace("serviceaccounts"),
  storageClasses: ofCluster("storageclasses", "storage.k8s.io"),
} satisfies Readonly<Record<string, ClusterResource>>;
