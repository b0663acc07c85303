import { compareResourceVersions, type Informer, objectKey } from "@stowage/kube";
import type { KubernetesObject } from "@stowage/machinery";

/**
 * What an informer knows, with what was decided and is not written yet. A decision holds until the server has said something newer, or
 * it is taken back.
 */
export class AssumedObjects<T extends KubernetesObject> {
  readonly #informer: Informer<T>;
  readonly #assumed = new Map<string, T>();

  constructor(informer: Informer<T>) {
    this.#informer = informer;
  }

  assume(object: T): void {
    this.#assumed.set(objectKey(object), object);
  }

  takeBack(object: T): void {
    this.#assumed.delete(objectKey(object));
  }

  get(key: string): T | undefined {
    const known = this.#informer.objects.getByKey(key);
    return known && this.#latest(known);
  }

  list(): T[] {
    return this.#informer.objects.list().map((known) => this.#latest(known));
  }

  #latest(known: T): T {
    const key = objectKey(known);
    const assumed = this.#assumed.get(key);
    if (assumed === undefined) return known;
    const order = compareResourceVersions(versionOf(known), versionOf(assumed)) ?? 1;
    if (order <= 0) return assumed;
    this.#assumed.delete(key);
    return known;
  }
}

function versionOf({ metadata }: KubernetesObject): string {
  return metadata.resourceVersion ?? "0";
}
