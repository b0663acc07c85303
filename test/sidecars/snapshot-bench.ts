import { isDeepStrictEqual } from "node:util";
import { VolumeCapability_AccessMode_Mode as Mode } from "@stowage/csi";
import type { EventRecorder, KubeClient } from "@stowage/kube";
import {
  type KubernetesObject,
  type PersistentVolume,
  type PersistentVolumeClaim,
  persistentVolumeClaims,
  persistentVolumes,
  type ResourceType,
  type VolumeGroupSnapshot,
  type VolumeGroupSnapshotClass,
  type VolumeSnapshot,
  type VolumeSnapshotClass,
  type VolumeSnapshotContent,
  type VolumeSnapshotSpec,
  volumeGroupSnapshotClasses,
  volumeGroupSnapshotContents,
  volumeGroupSnapshots,
  volumeSnapshotClasses,
  volumeSnapshotContents,
  volumeSnapshots,
} from "@stowage/machinery";
import {
  createSnapshotController,
  createSnapshotter,
  distributedSnapshotControllerRules,
  type Sidecar,
  type SidecarDeps,
  type SnapshotControllerOptions,
  type SnapshotterOptions,
  snapshotControllerDefaults,
  snapshotControllerRules,
  snapshotterDefaults,
  snapshotterRules,
  snapshotterSecretRules,
} from "@stowage/sidecars";
import { expect, vi } from "vitest";
import { countingClient } from "./request-counter.ts";
import { type BenchOptions, type SidecarBench, startSidecarBench } from "./sidecar-bench.ts";
import { ensureSnapshotCrds } from "./snapshot-crds.ts";

export interface SnapshotBenchOptions extends Pick<BenchOptions, "driver" | "logger" | "between"> {
  readonly snapshotter?: Partial<SnapshotterOptions>;
  readonly controller?: Partial<SnapshotControllerOptions>;
}

/** Impatient, so that what goes wrong does so soon. */
const hasty = { retryInitialMs: 50, retryMaximumMs: 400 };

/** A snapshotter and a snapshot controller, each with its own rights, and the objects that they work on. */
export class SnapshotBench implements AsyncDisposable {
  readonly bench: SidecarBench;
  /** What both asked of the API server, events included, reads of their caches aside. */
  readonly requests: string[];
  readonly #metrics: Metric[];
  readonly #make: (deps: SidecarDeps) => readonly Sidecar[];

  private constructor(bench: SidecarBench, make: (deps: SidecarDeps) => readonly Sidecar[], seen: Seen) {
    this.bench = bench;
    this.#make = make;
    this.requests = seen.requests;
    this.#metrics = seen.metrics;
  }

  static async start(options: SnapshotBenchOptions = {}): Promise<SnapshotBench> {
    const seen: Seen = { requests: [], metrics: [] };
    const make = (deps: SidecarDeps) => {
      seen.metrics.length = 0;
      return sidecarsOf(deps, seen, options);
    };
    const bench = await startSidecarBench({
      ...options,
      rules: [snapshotterRules, snapshotterSecretRules, snapshotControllerRules, distributedSnapshotControllerRules],
      sidecars: () => [],
    });
    await ensureSnapshotCrds(bench.client);
    const whole = new SnapshotBench(bench, make, seen);
    await whole.restart();
    return whole;
  }

  get client(): KubeClient {
    return this.bench.client;
  }

  get namespace(): string {
    return this.bench.namespace;
  }

  /** Ends the sidecars as when their process does, and makes new ones with empty memories. */
  async restart(): Promise<void> {
    await this.bench.stopSidecars();
    await this.bench.startSidecars(this.#make);
  }

  /** How many of the operations with these labels have ended, since the last start. */
  async countOf(labels: object): Promise<number> {
    const values = (await Promise.all(this.#metrics.map((metric) => metric.get()))).flatMap((metric) => metric.values);
    const counts = values.filter(
      ({ metricName }) => metricName === "snapshot_controller_operation_total_seconds_count",
    );
    return counts.find((count) => isDeepStrictEqual({ ...count.labels }, labels))?.value ?? 0;
  }

  /** The names of what is in the storage. */
  storedSnapshots(): string[] {
    return this.bench.driver.state().snapshots.map(({ name }) => name);
  }

  /** A claim with a volume of the driver, bound by Kubernetes. */
  async makeClaim(name: string, changes: ClaimChanges = {}): Promise<PersistentVolumeClaim> {
    const { client, namespace } = this;
    const volume = await this.makeVolume(name, changes);
    await client.create(persistentVolumeClaims, {
      metadata: { namespace, name, labels: changes.labels },
      spec: {
        accessModes: ["ReadWriteOnce"],
        storageClassName: "",
        volumeName: volume.metadata.name,
        resources: { requests: { storage: "1Gi" } },
      },
    });
    return await vi.waitFor(async () => {
      const claim = await client.get(persistentVolumeClaims, { namespace, name });
      expect(claim.status?.phase).toBe("Bound");
      return claim;
    }, SOON);
  }

  async makeVolume(name: string, { volume: changes = {} }: ClaimChanges = {}): Promise<PersistentVolume> {
    const { volume: made } = await this.bench.deps.csi.controller.createVolume({
      name: `${this.namespace}-${name}`,
      volumeCapabilities: [{ accessMode: { mode: Mode.SINGLE_NODE_WRITER }, accessType: { case: "mount", value: {} } }],
    });
    await this.client.create(persistentVolumes, {
      metadata: { name: `${this.namespace}-${name}` },
      spec: {
        accessModes: ["ReadWriteOnce"],
        capacity: { storage: "1Gi" },
        persistentVolumeReclaimPolicy: "Retain",
        storageClassName: "",
        csi: { driver: this.bench.driverName, volumeHandle: made?.volumeId ?? "" },
        claimRef: { namespace: this.namespace, name },
        ...changes,
      },
    });
    // The controller that binds claims must know the volume before the claim: it would look again only after a while.
    return await vi.waitFor(async () => {
      const volume = await this.client.get(persistentVolumes, { name: `${this.namespace}-${name}` });
      expect(volume.status?.phase).toBe("Available");
      return volume;
    }, SOON);
  }

  async makeClass(name: string, changes: Partial<VolumeSnapshotClass> = {}): Promise<string> {
    const fullName = `${this.namespace}-${name}`;
    await this.client.create(volumeSnapshotClasses, {
      driver: this.bench.driverName,
      deletionPolicy: "Delete",
      ...changes,
      metadata: { ...changes.metadata, name: fullName },
    });
    return fullName;
  }

  async makeGroupClass(name: string, changes: Partial<VolumeGroupSnapshotClass> = {}): Promise<string> {
    const fullName = `${this.namespace}-${name}`;
    await this.client.create(volumeGroupSnapshotClasses, {
      driver: this.bench.driverName,
      deletionPolicy: "Delete",
      ...changes,
      metadata: { ...changes.metadata, name: fullName },
    });
    return fullName;
  }

  async makeSnapshot(name: string, spec: VolumeSnapshotSpec): Promise<VolumeSnapshot> {
    return await this.client.create(volumeSnapshots, { metadata: { namespace: this.namespace, name }, spec });
  }

  async snapshot(name: string): Promise<VolumeSnapshot> {
    return await this.client.get(volumeSnapshots, { namespace: this.namespace, name });
  }

  async contentOf(snapshot: VolumeSnapshot): Promise<VolumeSnapshotContent> {
    return await this.client.get(volumeSnapshotContents, { name: `snapcontent-${snapshot.metadata.uid}` });
  }

  async claim(name: string): Promise<PersistentVolumeClaim> {
    return await this.client.get(persistentVolumeClaims, { namespace: this.namespace, name });
  }

  async ready(name: string): Promise<VolumeSnapshot> {
    return await vi.waitFor(async () => {
      const snapshot = await this.snapshot(name);
      expect(snapshot.status).toMatchObject({ readyToUse: true });
      return snapshot;
    }, SOON);
  }

  async failed(name: string, message: RegExp): Promise<VolumeSnapshot> {
    return await vi.waitFor(async () => {
      const snapshot = await this.snapshot(name);
      expect(snapshot.status?.error?.message).toMatch(message);
      return snapshot;
    }, SOON);
  }

  async readyGroup(name: string): Promise<VolumeGroupSnapshot> {
    return await vi.waitFor(async () => {
      const group = await this.client.get(volumeGroupSnapshots, { namespace: this.namespace, name });
      expect(group.status).toMatchObject({ readyToUse: true });
      return group;
    }, SOON);
  }

  async delete<T extends KubernetesObject>(type: ResourceType<T>, { metadata }: T): Promise<void> {
    const ref = { namespace: metadata.namespace, name: metadata.name ?? "" };
    await this.client.delete(type, ref);
  }

  async gone<T extends KubernetesObject>(type: ResourceType<T>, { metadata }: T): Promise<void> {
    const ref = { namespace: metadata.namespace, name: metadata.name ?? "" };
    await vi.waitFor(async () => expect(await this.client.find(type, ref)).toBeUndefined(), SOON);
  }

  /** `Warning SnapshotDeletePending …` */
  async event(object: KubernetesObject, line: RegExp): Promise<void> {
    await vi.waitFor(
      async () => expect(await this.bench.eventLines(object)).toContainEqual(expect.stringMatching(line)),
      SOON,
    );
  }

  /** What is left belongs to nobody: without its finalizers it goes. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.bench.stopSidecars();
    const { driverName } = this.bench;
    const isOurs = ({ metadata, spec }: Leftover) =>
      metadata.namespace === this.namespace || spec?.driver === driverName || spec?.csi?.driver === driverName;
    for (const type of LEFTOVERS) {
      const { items } = await this.client.list(type);
      for (const item of (items as Leftover[]).filter(isOurs)) await this.#clear(type, item);
    }
    for (const type of [volumeSnapshotClasses, volumeGroupSnapshotClasses]) {
      const { items } = await this.client.list<KubernetesObject & { driver: string }>(type);
      for (const item of items.filter(({ driver }) => driver === driverName)) await this.delete(type, item);
    }
    await this.bench[Symbol.asyncDispose]();
  }

  async #clear(type: ResourceType, { metadata }: Leftover): Promise<void> {
    const ref = { namespace: metadata.namespace, name: metadata.name ?? "" };
    await this.client.delete(type, ref).catch(() => {});
    await this.client.patch(type, ref, { type: "merge", patch: { metadata: { finalizers: [] } } }).catch(() => {});
  }
}

export interface ClaimChanges {
  readonly labels?: Record<string, string>;
  readonly volume?: Partial<PersistentVolume["spec"]>;
}

interface Seen {
  readonly requests: string[];
  readonly metrics: Metric[];
}

/** As a registry of metrics is given them. */
interface Metric {
  get(): Promise<{ values: readonly { metricName?: string; labels: object; value: number }[] }>;
}

type Leftover = KubernetesObject & { spec?: { driver?: string; csi?: { driver: string } } };

const LEFTOVERS: readonly ResourceType[] = [
  volumeGroupSnapshots,
  volumeSnapshots,
  volumeGroupSnapshotContents,
  volumeSnapshotContents,
  persistentVolumeClaims,
  persistentVolumes,
];

export const SOON = { timeout: 60_000, interval: 50 };

function sidecarsOf(
  deps: SidecarDeps,
  { requests, metrics }: Seen,
  { snapshotter, controller }: SnapshotBenchOptions,
): readonly Sidecar[] {
  const events: EventRecorder = {
    event(subject, type, reason, message) {
      requests.push(`event ${reason}`);
      deps.events.event(subject, type, reason, message);
    },
  };
  const registry = { registerMetric: (metric: Metric) => metrics.push(metric) } as unknown as SidecarDeps["registry"];
  const counted = { ...deps, events, registry, client: countingClient(deps.client, requests) };
  return [
    createSnapshotter(counted, { ...snapshotterDefaults, timeoutMs: 500, ...hasty, ...snapshotter }),
    createSnapshotController(counted, { ...snapshotControllerDefaults, ...hasty, ...controller }),
  ];
}
