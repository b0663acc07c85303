import { VolumeCapability_AccessMode_Mode as Mode } from "@stowage/csi";
import {
  type CSIPersistentVolumeSource,
  type ObjectMeta,
  type PersistentVolume,
  type PersistentVolumeClaim,
  persistentVolumeClaims,
  persistentVolumes,
  pods,
  storageClasses,
  type VolumeNodeAffinity,
  volumeAttributesClasses,
} from "@stowage/machinery";
import {
  createResizer,
  type ResizerOptions,
  resizerDefaults,
  resizerRules,
  resizerSecretRules,
  type Sidecar,
  type SidecarDeps,
} from "@stowage/sidecars";
import { expect, vi } from "vitest";
import { countingClient } from "./request-counter.ts";
import { type BenchOptions, type SidecarBench, startSidecarBench } from "./sidecar-bench.ts";

/** Impatient, so that what goes wrong does so soon. */
export const hasty: ResizerOptions = { ...resizerDefaults, timeoutMs: 400, retryInitialMs: 50, retryMaximumMs: 400 };

export const soon = { timeout: 60_000, interval: 50 };

interface VolumeWish {
  readonly isBlock?: boolean;
  readonly csi?: Partial<CSIPersistentVolumeSource>;
  readonly metadata?: ObjectMeta;
  readonly nodeAffinity?: VolumeNodeAffinity;
}

/** A resizer with the objects that it works on. */
export interface ResizerBench extends AsyncDisposable {
  readonly bench: SidecarBench;
  /** What the resizer asked of the API server, reads of its caches and events aside. */
  readonly requests: string[];
  /** A claim of 1Gi that is bound to a volume of the driver. */
  makeClaim(name: string, wish?: VolumeWish): Promise<PersistentVolumeClaim>;
  claim(name: string): Promise<PersistentVolumeClaim>;
  volume(name: string): Promise<PersistentVolume>;
  request(name: string, storage: string): Promise<void>;
  wishClass(name: string, className: string | null): Promise<void>;
  makeClass(name: string, parameters: Record<string, string>): Promise<string>;
  /** Waits until the claim matches. */
  claimHas(name: string, expected: object): Promise<PersistentVolumeClaim>;
  /** As kubelet does at the end of an expansion. */
  finishOnNode(name: string): Promise<void>;
  patchStatus(name: string, status: object): Promise<void>;
  makePod(name: string, claimName: string): Promise<void>;
  /** `Normal Resizing`, once for each kind. */
  events(name: string): Promise<string[]>;
  /** The sizes that the driver was asked for, in GiB. */
  askedGib(): number[];
  restart(): Promise<void>;
}

export interface ResizerBenchOptions extends Omit<BenchOptions, "sidecars" | "rules"> {
  readonly resizer?: Partial<ResizerOptions>;
  /** Changes what the driver says of itself. */
  readonly pretend?: (driver: SidecarDeps["driver"]) => SidecarDeps["driver"];
}

export async function startResizerBench(options: ResizerBenchOptions = {}): Promise<ResizerBench> {
  const requests: string[] = [];
  const sidecars = ({ client, driver, ...deps }: SidecarDeps): Sidecar =>
    createResizer(
      { ...deps, client: countingClient(client, requests), driver: options.pretend?.(driver) ?? driver },
      { ...hasty, ...options.resizer },
    );
  const bench = await startSidecarBench({ ...options, rules: [resizerRules, resizerSecretRules], sidecars });
  const { namespace } = bench;
  const metadata = { name: namespace };
  const storageClass = { metadata, provisioner: bench.driverName, allowVolumeExpansion: true };
  await bench.client.create(storageClasses, storageClass);
  return {
    bench,
    requests,
    ...objectsOf(bench),
    askedGib: () =>
      bench.driver
        .calls("ControllerExpandVolume")
        .map(({ request }) => Number((request as unknown as Asked).capacity_range.required_bytes) / 2 ** 30),
    async restart() {
      await bench.stopSidecars();
      await bench.startSidecars(sidecars);
    },
    [Symbol.asyncDispose]: () => bench[Symbol.asyncDispose](),
  };
}

interface Asked {
  readonly capacity_range: { readonly required_bytes: string };
}

type Objects = Omit<ResizerBench, "bench" | "requests" | "askedGib" | "restart" | typeof Symbol.asyncDispose>;

function objectsOf(bench: SidecarBench): Objects {
  const { client, namespace } = bench;
  const claim = (name: string) => client.get(persistentVolumeClaims, { namespace, name });
  const volume = (name: string) => client.get(persistentVolumes, { name: `${namespace}-${name}` });
  const patchSpec = async (name: string, spec: object) => {
    await client.patch(persistentVolumeClaims, { namespace, name }, { type: "merge", patch: { spec } });
  };
  const patchStatus = async (name: string, status: object) => {
    const patch = { type: "strategic", patch: { status } } as const;
    await client.patch(persistentVolumeClaims, { namespace, name }, patch, { subresource: "status" });
  };
  const claimHas: Objects["claimHas"] = (name, expected) =>
    vi.waitFor(async () => {
      const found = await claim(name);
      expect(found).toMatchObject(expected);
      return found;
    }, soon);
  return {
    claim,
    volume,
    claimHas,
    patchStatus,
    async makeClaim(name, wish = {}) {
      await makeBoundClaim(bench, name, wish);
      return claimHas(name, { status: { phase: "Bound", capacity: { storage: "1Gi" } } });
    },
    request: (name, storage) => patchSpec(name, { resources: { requests: { storage } } }),
    wishClass: (name, className) => patchSpec(name, { volumeAttributesClassName: className }),
    async makeClass(name, parameters) {
      const metadata = { name: `${namespace}-${name}` };
      await client.create(volumeAttributesClasses, { metadata, driverName: bench.driverName, parameters });
      return metadata.name;
    },
    async finishOnNode(name) {
      const { spec } = await volume(name);
      await patchStatus(name, {
        capacity: { storage: spec?.capacity?.storage },
        allocatedResourceStatuses: { storage: null },
        conditions: [
          { $patch: "delete", type: "Resizing" },
          { $patch: "delete", type: "FileSystemResizePending" },
        ],
      });
    },
    async makePod(name, claimName) {
      const volumes = [{ name: "data", persistentVolumeClaim: { claimName } }];
      const spec = { containers: [{ name: "main", image: "none" }], volumes, automountServiceAccountToken: false };
      // Until the namespace has its service account, Pods are refused.
      await vi.waitFor(() => client.create(pods, { metadata: { namespace, name }, spec }), soon);
    },
    async events(name) {
      const lines = await bench.eventLines(await claim(name));
      // Kubernetes says itself that it leaves the claim to an external controller.
      return lines.filter((line) => !line.includes("ExternalExpanding"));
    },
  };
}

async function makeBoundClaim(
  bench: SidecarBench,
  name: string,
  { isBlock, csi, metadata, nodeAffinity }: VolumeWish,
): Promise<void> {
  const { client, namespace, driverName } = bench;
  const volumeName = `${namespace}-${name}`;
  const { volume } = await bench.deps.csi.controller.createVolume({
    name: volumeName,
    capacityRange: { requiredBytes: 2n ** 30n },
    volumeCapabilities: [
      {
        accessMode: { mode: Mode.SINGLE_NODE_WRITER },
        accessType: isBlock ? { case: "block", value: {} } : { case: "mount", value: {} },
      },
    ],
  });
  const common = {
    accessModes: ["ReadWriteOnce" as const],
    storageClassName: namespace,
    volumeMode: isBlock ? ("Block" as const) : ("Filesystem" as const),
  };
  await client.create(persistentVolumes, {
    metadata: { name: volumeName, ...metadata },
    spec: {
      ...common,
      capacity: { storage: "1Gi" },
      claimRef: { namespace, name },
      persistentVolumeReclaimPolicy: "Retain",
      csi: { driver: driverName, volumeHandle: volume?.volumeId ?? "", ...csi },
      nodeAffinity,
    },
  });
  await client.create(persistentVolumeClaims, {
    metadata: { namespace, name },
    spec: { ...common, volumeName, resources: { requests: { storage: "1Gi" } } },
  });
}
