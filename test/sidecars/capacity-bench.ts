import { VolumeCapability_AccessMode_Mode as Mode } from "@stowage/csi";
import {
  type CSIStorageCapacity,
  csiStorageCapacities,
  type StorageClass,
  serviceAccounts,
  storageClasses,
} from "@stowage/machinery";
import { Registry } from "prom-client";
import { expect, vi } from "vitest";
import {
  type CapacityController,
  type CapacityDeps,
  type CapacityOptions,
  capacityDefaults,
  capacityRules,
  createCapacityController,
} from "../../packages/sidecars/src/provisioner/capacity/index.ts";
import { topologyRules } from "../../packages/sidecars/src/provisioner/topology/index.ts";
import { DriverNodes } from "./driver-nodes.ts";
import { countingClient } from "./request-counter.ts";
import { type BenchOptions, type SidecarBench, startSidecarBench } from "./sidecar-bench.ts";

export const SOON = { timeout: 60_000, interval: 50 };

export interface CapacityBenchOptions extends Pick<BenchOptions, "driver" | "rules"> {
  readonly capacity?: Partial<CapacityOptions>;
  readonly ownNode?: CapacityDeps["ownNode"];
}

/** A capacity controller at work, and what it works on. */
export class CapacityBench implements AsyncDisposable {
  readonly bench: SidecarBench;
  readonly nodes: DriverNodes;
  controller: CapacityController | undefined;
  /** What the controller asked of the API server, caches aside. */
  readonly requests: string[] = [];
  registry = new Registry();
  readonly #options: CapacityBenchOptions;
  readonly #classes: string[] = [];

  private constructor(bench: SidecarBench, options: CapacityBenchOptions) {
    this.bench = bench;
    this.nodes = new DriverNodes(bench);
    this.#options = options;
  }

  /** Nothing runs before `start`, so that objects can be made first. */
  static async create(options: CapacityBenchOptions = {}): Promise<CapacityBench> {
    const { driver, rules = [capacityRules, topologyRules] } = options;
    const bench = await startSidecarBench({ driver, rules, sidecars: () => [] });
    // Pods are refused before Kubernetes has made it.
    const { client, namespace } = bench;
    await vi.waitFor(() => client.get(serviceAccounts, { namespace, name: "default" }), SOON);
    return new CapacityBench(bench, options);
  }

  async start(changed: Partial<CapacityOptions> = {}): Promise<void> {
    await this.bench.stopSidecars();
    await this.bench.startSidecars((deps, { namespace }) => {
      this.registry = new Registry();
      const { ownNode, capacity } = this.#options;
      const client = countingClient(deps.client, this.requests);
      const fast = { retryInitialMs: 50, retryMaximumMs: 400, timeoutMs: 2000 };
      // Polls only where a test asks for it: what else leads to an update must do so by itself.
      const quiet = { pollIntervalMs: 3_600_000, ownerLevel: -1 };
      this.controller = createCapacityController(
        { ...deps, client, registry: this.registry, ownNode },
        { ...capacityDefaults, ...fast, ...quiet, namespace, ...capacity, ...changed },
      );
      return this.controller;
    });
  }

  async addClass(change: Partial<StorageClass> = {}): Promise<string> {
    const name = `${this.bench.namespace}-class-${this.#classes.length}`;
    this.#classes.push(name);
    await this.bench.client.create(storageClasses, {
      metadata: { name },
      provisioner: this.bench.driverName,
      volumeBindingMode: "WaitForFirstConsumer",
      ...change,
    });
    return name;
  }

  async deleteClass(name: string): Promise<void> {
    await this.bench.client.delete(storageClasses, { name });
  }

  /** Of the driver, by the API server's account, oldest first. */
  async objects(storageClassName?: string): Promise<CSIStorageCapacity[]> {
    const { items } = await this.bench.client.list(csiStorageCapacities, { namespace: this.bench.namespace });
    return items.filter((each) => storageClassName === undefined || each.storageClassName === storageClassName);
  }

  /** Waits until the class has objects for exactly these places: `{"zone":"a"}`. */
  async placesBecome(storageClassName: string, ...expected: object[]): Promise<CSIStorageCapacity[]> {
    return vi.waitFor(async () => {
      const objects = await this.objects(storageClassName);
      const texts = (places: readonly unknown[]) => places.map((place) => JSON.stringify(place)).toSorted();
      expect(texts(objects.map(({ nodeTopology }) => nodeTopology?.matchLabels ?? {}))).toEqual(texts(expected));
      return objects;
    }, SOON);
  }

  async capacityBecomes(storageClassName: string, capacity: string): Promise<void> {
    await vi.waitFor(async () => {
      const objects = await this.objects(storageClassName);
      expect(objects).not.toEqual([]);
      expect(objects.map((each) => each.capacity)).toEqual(objects.map(() => capacity));
    }, SOON);
  }

  /** Behind the controller's back, as another node's provisioner would. */
  async makeVolume(name: string, sizeBytes: bigint): Promise<string> {
    const { volume } = await this.bench.deps.csi.controller.createVolume({
      name,
      capacityRange: { requiredBytes: sizeBytes },
      volumeCapabilities: [{ accessMode: { mode: Mode.SINGLE_NODE_WRITER }, accessType: { case: "mount", value: {} } }],
    });
    return volume?.volumeId ?? "";
  }

  async gauges(): Promise<Record<string, number | undefined>> {
    const metrics = await this.registry.getMetricsAsJSON();
    return Object.fromEntries(metrics.map(({ name, values }) => [name, values[0]?.value]));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.bench.stopSidecars();
    await this.nodes[Symbol.asyncDispose]();
    for (const name of this.#classes) {
      if ((await this.bench.client.find(storageClasses, { name })) !== undefined) await this.deleteClass(name);
    }
    await this.bench[Symbol.asyncDispose]();
  }
}
