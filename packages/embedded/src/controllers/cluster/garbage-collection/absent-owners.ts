import type { Identity } from "./graph-node.ts";

const MOST = 500;

/** Owners that are certainly gone, so that each of their dependents need not ask for them again. The oldest are forgotten. */
export class AbsentOwners {
  readonly #keys = new Set<string>();

  add(identity: Identity): void {
    const key = keyOf(identity);
    this.#keys.delete(key);
    this.#keys.add(key);
    const [oldest] = this.#keys;
    if (this.#keys.size > MOST && oldest !== undefined) this.#keys.delete(oldest);
  }

  /** In its namespace, or as one of the whole cluster. */
  has(identity: Identity): boolean {
    return this.#keys.has(keyOf(identity)) || this.#keys.has(keyOf({ ...identity, namespace: "" }));
  }
}

function keyOf({ apiVersion, kind, namespace, name, uid }: Identity): string {
  return JSON.stringify([apiVersion, kind, namespace, name, uid]);
}
