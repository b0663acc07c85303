import type { ObjectReader } from "@stowage/kube";
import type { StorageClass } from "@stowage/machinery";
import { holdsAt, type Segments, type TopologyTerm, termOf } from "../topology/index.ts";
import { type CapacityItem, keyOfItem } from "./capacity-item.ts";
import type { DriverSegments } from "./driver-segments.ts";

export interface DesiredItemsDeps {
  readonly classes: Pick<ObjectReader<StorageClass>, "get" | "list">;
  readonly segments: Pick<DriverSegments, "list" | "has">;
  isTracked(storageClass: StorageClass): boolean;
}

/** For which classes and places there are to be objects, by what the caches say now. */
export class DesiredItems {
  readonly #deps: DesiredItemsDeps;

  constructor(deps: DesiredItemsDeps) {
    this.#deps = deps;
  }

  /** Undefined when there is to be no object for the item. */
  classOf({ storageClassName, place }: CapacityItem): StorageClass | undefined {
    if (place === undefined || !this.#deps.segments.has(place)) return undefined;
    return this.#tracked(storageClassName);
  }

  keys(): string[] {
    return this.keysIn(this.#deps.segments.list());
  }

  /** Of all classes in these places. */
  keysIn(places: readonly TopologyTerm[]): string[] {
    const classes = this.#deps.classes.list().filter((storageClass) => this.#deps.isTracked(storageClass));
    return classes.flatMap(({ metadata }) =>
      places.map((place) => keyOfItem({ storageClassName: metadata.name ?? "", place })),
    );
  }

  keysOfClass(storageClassName: string): string[] {
    if (this.#tracked(storageClassName) === undefined) return [];
    return this.#deps.segments.list().map((place) => keyOfItem({ storageClassName, place }));
  }

  /** Whose figures a volume of the class, reachable in these places, has changed. Where the places tell nothing, the class does. */
  keysTouched(storageClassName: string, accessibleTopology: readonly { readonly segments: Segments }[]): string[] {
    const places = accessibleTopology.map(({ segments }) => termOf(segments)).filter(({ length }) => length > 0);
    const touched = this.#deps.segments.list().filter((segment) => places.some((place) => holdsAt(place, segment)));
    return touched.length > 0 ? this.keysIn(touched) : this.keysOfClass(storageClassName);
  }

  #tracked(name: string): StorageClass | undefined {
    const storageClass = this.#deps.classes.get({ name });
    return storageClass !== undefined && this.#deps.isTracked(storageClass) ? storageClass : undefined;
  }
}
