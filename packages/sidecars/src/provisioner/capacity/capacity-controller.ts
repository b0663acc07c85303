import { type Informer, isNotFound } from "@stowage/kube";
import { type CSIStorageCapacity, csiStorageCapacities, type OwnerReference } from "@stowage/machinery";
import { type Controller, createController, type SyncContext } from "@stowage/operator";
import { storageCapacityCache, storageClassCache } from "../../caches/index.ts";
import type { Sidecar, SidecarDeps } from "../../sidecar.ts";
import type { OwnNode } from "../node-deployment/own-node.ts";
import type { Segments, TopologyTerm } from "../topology/index.ts";
import { type CapacityCounts, capacityGauges } from "./capacity-gauges.ts";
import { type CapacityItem, itemOfKey } from "./capacity-item.ts";
import { capacityRequest, desiredCapacity, desiredPatch, isTracked } from "./desired-capacity.ts";
import { DesiredItems } from "./desired-items.ts";
import { type DriverSegments, fixedSegments, watchSegments } from "./driver-segments.ts";
import { KnownCapacities, keyOfObject } from "./known-capacities.ts";
import { managedByLabel } from "./managed-by.ts";
import type { CapacityOptions } from "./options.ts";
import { findOwner } from "./pod-owner.ts";

export interface CapacityDeps extends Omit<SidecarDeps, "events"> {
  /** Set when deployed on each node: the one place there is. */
  readonly ownNode?: OwnNode;
}

export interface CapacityController extends Sidecar {
  /**
   * For whoever made or deleted a volume, or failed at it in a way that may have changed something: the driver is asked again soon
   * for these places, or for the class where the places are not known.
   */
  onCapacityChanged(storageClassName: string, accessibleTopology?: readonly { readonly segments: Segments }[]): void;
}

/**
 * Tells the scheduler how much storage there is where, so that it puts Pods where their volumes fit.
 *
 * Watches StorageClasses, its own CSIStorageCapacity objects, and Nodes and CSINodes unless deployed on each node. Owns one
 * CSIStorageCapacity for each class of the driver and each place; writes one only when its figures or owner change; deletes those
 * whose class or place is gone, and second ones for the same class and place.
 */
export function createCapacityController(deps: CapacityDeps, options: CapacityOptions): CapacityController {
  return new CapacityKeeper(deps, options);
}

class CapacityKeeper implements CapacityController {
  readonly name = "capacity";
  readonly #deps: CapacityDeps;
  readonly #options: CapacityOptions;
  readonly #managedBy: string;
  readonly #known: KnownCapacities;
  readonly #segments: DriverSegments;
  readonly #desired: DesiredItems;
  readonly #controller: Controller;
  #owner: OwnerReference | undefined;

  constructor(deps: CapacityDeps, options: CapacityOptions) {
    const { informers, driver, clock, logger, queues, ownNode, registry } = deps;
    const { workers, retryInitialMs, retryMaximumMs, forImmediateBinding, namespace } = options;
    const driverName = driver.name;
    this.#deps = deps;
    this.#options = options;
    this.#managedBy = managedByLabel(ownNode?.name);
    this.#controller = createController(
      { clock, logger, metrics: queues },
      {
        name: "csistoragecapacity",
        workers,
        backoff: { initialMs: retryInitialMs, maximumMs: retryMaximumMs },
        sync: (key, context) => this.#sync(key, context),
      },
    );
    this.#segments =
      ownNode === undefined
        ? watchSegments(deps, options, (places) => this.#lookAt(this.#desired.keysIn(places)))
        : fixedSegments(ownNode.segments);
    this.#desired = new DesiredItems({
      classes: storageClassCache(informers).objects,
      segments: this.#segments,
      isTracked: (storageClass) => isTracked(storageClass, { driverName, forImmediateBinding }),
    });
    const capacities = storageCapacityCache(informers, { namespace, driverName, managedBy: this.#managedBy });
    this.#known = new KnownCapacities(capacities, clock);
    this.#follow(capacities);
    if (registry !== undefined) capacityGauges(registry, () => this.#counts());
  }

  async run(signal: AbortSignal): Promise<void> {
    const { namespace, podName, ownerLevel } = this.#options;
    this.#owner = await findOwner(this.#deps.client, { namespace, podName, level: ownerLevel });
    const segmentsEnded = this.#segments.run(signal);
    this.#lookAt([...this.#desired.keys(), ...this.#known.itemKeys()]);
    await Promise.all([segmentsEnded, this.#controller.run(signal), this.#poll(signal)]);
  }

  // A property, since the provisioner is handed this function alone.
  readonly onCapacityChanged = (
    storageClassName: string,
    accessibleTopology: readonly { readonly segments: Segments }[] = [],
  ): void => this.#lookAt(this.#desired.keysTouched(storageClassName, accessibleTopology));

  #follow(capacities: Informer<CSIStorageCapacity>): void {
    const isDesired = (key: string) => this.#desired.classOf(itemOfKey(key)) !== undefined;
    // Figures that somebody else changed are put right at the next poll; what matters here is whether objects exist.
    capacities.addHandler({
      onAdd: (object) => {
        const key = keyOfObject(object);
        if (!isDesired(key) || this.#known.of(key).length > 1) this.#lookAt([key]);
      },
      onDelete: (object) => {
        const key = keyOfObject(object);
        this.#known.forget(object);
        if (isDesired(key)) this.#lookAt([key]);
      },
    });
    storageClassCache(this.#deps.informers).addHandler({
      onKey: (name) => this.#lookAt([...this.#desired.keysOfClass(name), ...this.#known.itemKeysOfClass(name)]),
    });
  }

  async #poll(signal: AbortSignal): Promise<void> {
    const { clock } = this.#deps;
    while (!signal.aborted) {
      await clock.sleep(this.#options.pollIntervalMs, signal).catch(() => {});
      if (signal.aborted) return;
      for (const key of this.#desired.keys()) this.#controller.queue.addInBackground(key);
    }
  }

  async #sync(key: string, { signal }: SyncContext): Promise<void> {
    const item = itemOfKey(key);
    const storageClass = this.#desired.classOf(item);
    const [kept, ...others] = this.#known.of(key);
    if (storageClass === undefined || item.place === undefined) {
      await this.#delete(kept === undefined ? others : [kept, ...others]);
      return;
    }
    const { csi } = this.#deps;
    const { timeoutMs } = this.#options;
    const answer = await csi.controller.getCapacity(capacityRequest(storageClass, item.place), { timeoutMs, signal });
    if (kept === undefined) await this.#create({ ...item, place: item.place }, answer);
    else await this.#update(kept, answer);
    await this.#delete(others);
  }

  async #create(
    item: Required<CapacityItem> & { readonly place: TopologyTerm },
    answer: Parameters<typeof desiredCapacity>[1],
  ): Promise<void> {
    const { client, driver } = this.#deps;
    const { namespace } = this.#options;
    const identity = { driverName: driver.name, managedBy: this.#managedBy, namespace, owner: this.#owner };
    this.#known.remember(await client.create(csiStorageCapacities, desiredCapacity(item, answer, identity)));
  }

  async #update(object: CSIStorageCapacity, answer: Parameters<typeof desiredPatch>[1]): Promise<void> {
    const patch = desiredPatch(object, answer, this.#owner);
    if (patch === undefined) return;
    try {
      const written = await this.#deps.client.patch(csiStorageCapacities, refOf(object), { type: "merge", patch });
      this.#known.remember(written);
    } catch (error) {
      // Tried again, and then made anew.
      if (isNotFound(error)) this.#known.forget(object);
      throw error;
    }
  }

  async #delete(objects: readonly CSIStorageCapacity[]): Promise<void> {
    for (const object of objects) {
      const { uid } = object.metadata;
      try {
        await this.#deps.client.delete(csiStorageCapacities, refOf(object), { preconditions: { uid } });
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
      this.#known.forget(object);
    }
  }

  #lookAt(keys: readonly string[]): void {
    for (const key of keys) this.#controller.queue.add(key);
  }

  #counts(): CapacityCounts {
    const desired = new Set(this.#desired.keys());
    const existing = this.#known.itemKeys();
    const obsolete = existing.filter((key) => !desired.has(key)).length;
    return { goal: desired.size, current: new Set(existing).intersection(desired).size, obsolete };
  }
}

function refOf({ metadata }: CSIStorageCapacity): { namespace: string; name: string } {
  return { namespace: metadata.namespace ?? "", name: metadata.name ?? "" };
}
