import { compareResourceVersions, type Informer, objectKey } from "@stowage/kube";
import type { KubernetesObject } from "@stowage/machinery";

/**
 * What is known of the objects of a resource: what the watch brought, and what this controller wrote, whichever is newer. Binding is
 * four writes, and each is told of by the watch; judged by what the watch alone has brought, the binder would begin again in between.
 * What is deleted stays until it is told to forget it, since a claim's end concerns its volume and the other way round.
 */
export class LatestObjects<T extends KubernetesObject> {
  readonly #known = new Map<string, T>();

  /** Knows everything that the informer knows, as of now. */
  fill(informer: Informer<T>): void {
    for (const object of informer.objects.list()) this.take(object);
  }

  /** False: it is older than what is known, and to be left alone. */
  take(object: T): boolean {
    const key = objectKey(object);
    const known = this.#known.get(key);
    const order = known && compareResourceVersions(versionOf(object), versionOf(known));
    if (known !== undefined && order !== undefined && order < 0) return false;
    this.#known.set(key, object);
    return true;
  }

  /** What a write answered; the same object, for the next step. */
  wrote(object: T): T {
    this.take(object);
    return object;
  }

  getByKey(key: string): T | undefined {
    return this.#known.get(key);
  }

  list(): T[] {
    return [...this.#known.values()];
  }

  forget(key: string): void {
    this.#known.delete(key);
  }
}

function versionOf({ metadata }: KubernetesObject): string {
  return metadata.resourceVersion ?? "0";
}
