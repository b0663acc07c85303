import { compareResourceVersions, type Informer } from "@stowage/kube";
import type { Clock, CSIStorageCapacity } from "@stowage/machinery";
import { itemOfObject, keyOfItem } from "./capacity-item.ts";

const BY_ITEM = "capacity-item";
const BY_CLASS = "capacity-class";
/** What the watch has not brought by then was deleted before it could. */
const TRUST_MS = 60_000;

interface Written {
  readonly object: CSIStorageCapacity;
  readonly untilMs: number;
}

/**
 * The objects that exist, by item. What was just written counts before the watch brings it: else an item that is looked at twice
 * in a row would get two objects, since their names are made up by the server.
 */
export class KnownCapacities {
  readonly #informer: Informer<CSIStorageCapacity>;
  readonly #clock: Clock;
  readonly #written = new Map<string, Written>();

  constructor(informer: Informer<CSIStorageCapacity>, clock: Clock) {
    this.#informer = informer;
    this.#clock = clock;
    informer.addIndex(BY_ITEM, (object) => [keyOfObject(object)]);
    informer.addIndex(BY_CLASS, ({ storageClassName }) => [storageClassName]);
  }

  /** The one to keep first. */
  of(itemKey: string): CSIStorageCapacity[] {
    const cached = this.#informer.objects.byIndex(BY_ITEM, itemKey).toSorted(byAge);
    const written = this.#stillWritten(itemKey, cached);
    if (written === undefined) return cached;
    return [...cached.filter((object) => !isSame(object, written)), written].toSorted(byAge);
  }

  /** One for each object. */
  itemKeys(): string[] {
    return this.#informer.objects.list().map(keyOfObject);
  }

  itemKeysOfClass(storageClassName: string): string[] {
    return this.#informer.objects.byIndex(BY_CLASS, storageClassName).map(keyOfObject);
  }

  /** The server's answer to a write. */
  remember(object: CSIStorageCapacity): void {
    this.#written.set(keyOfObject(object), { object, untilMs: this.#clock.monotonicMs() + TRUST_MS });
  }

  /** It was deleted, or turned out not to exist. */
  forget(object: CSIStorageCapacity): void {
    const written = this.#written.get(keyOfObject(object));
    if (written !== undefined && isSame(written.object, object)) this.#written.delete(keyOfObject(object));
  }

  #stillWritten(itemKey: string, cached: readonly CSIStorageCapacity[]): CSIStorageCapacity | undefined {
    const written = this.#written.get(itemKey);
    if (written === undefined) return undefined;
    const seen = cached.find((object) => isSame(object, written.object));
    const isAhead = seen === undefined ? written.untilMs > this.#clock.monotonicMs() : isNewer(written.object, seen);
    if (isAhead) return written.object;
    this.#written.delete(itemKey);
    return undefined;
  }
}

export function keyOfObject(object: CSIStorageCapacity): string {
  return keyOfItem(itemOfObject(object));
}

function isSame(a: CSIStorageCapacity, b: CSIStorageCapacity): boolean {
  return a.metadata.uid === b.metadata.uid;
}

function isNewer(a: CSIStorageCapacity, b: CSIStorageCapacity): boolean {
  const order = compareResourceVersions(a.metadata.resourceVersion ?? "", b.metadata.resourceVersion ?? "");
  return order !== undefined && order > 0;
}

function byAge(a: CSIStorageCapacity, b: CSIStorageCapacity): number {
  const rank = ({ metadata }: CSIStorageCapacity) => `${metadata.creationTimestamp} ${metadata.name}`;
  return rank(a) < rank(b) ? -1 : 1;
}
