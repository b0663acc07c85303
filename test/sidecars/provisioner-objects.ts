import type { KubeClient } from "@stowage/kube";
import {
  type PersistentVolume,
  type PersistentVolumeClaim,
  type PersistentVolumeClaimSpec,
  persistentVolumeClaims,
  persistentVolumes,
  type StorageClass,
  storageClasses,
} from "@stowage/machinery";
import type { SidecarDeps } from "@stowage/sidecars";
import { expect, vi } from "vitest";
import {
  createProvisioner,
  type ProvisionerOptions,
  provisionerDefaults,
} from "../../packages/sidecars/src/provisioner/index.ts";
import type { SidecarBench } from "./sidecar-bench.ts";

/** Quick to try again, so that tests are. */
export function provisioner(options: Partial<ProvisionerOptions> = {}) {
  return (deps: SidecarDeps, { namespace }: { namespace: string }) =>
    createProvisioner(deps, {
      ...provisionerDefaults,
      namespace,
      workers: 20,
      timeoutMs: 2_000,
      retryInitialMs: 50,
      retryMaximumMs: 500,
      ...options,
    });
}

type Bench = Pick<SidecarBench, "client" | "namespace" | "driverName" | "driver">;

export async function makeClass(bench: Bench, changes: Partial<StorageClass> = {}): Promise<StorageClass> {
  const { name = bench.namespace } = changes.metadata ?? {};
  return await bench.client.create(storageClasses, {
    provisioner: bench.driverName,
    ...changes,
    metadata: { ...changes.metadata, name },
  });
}

export interface ClaimChanges {
  readonly annotations?: Record<string, string>;
  readonly className?: string;
  readonly size?: string;
  readonly spec?: PersistentVolumeClaimSpec;
}

export async function makeClaim(
  { client, namespace }: Bench,
  name: string,
  { annotations, className = namespace, size = "1Gi", spec }: ClaimChanges = {},
): Promise<PersistentVolumeClaim> {
  return await client.create(persistentVolumeClaims, {
    metadata: { namespace, name, annotations },
    spec: {
      accessModes: ["ReadWriteOnce"],
      storageClassName: className,
      resources: { requests: { storage: size } },
      ...spec,
    },
  });
}

export function readClaim({ client, namespace }: Bench, name: string): Promise<PersistentVolumeClaim> {
  return client.get(persistentVolumeClaims, { namespace, name });
}

export async function deleteClaim({ client, namespace }: Bench, name: string): Promise<void> {
  await client.delete(persistentVolumeClaims, { namespace, name });
}

const patience = { timeout: 30_000, interval: 50 };

export function eventually<T>(check: () => Promise<T>): Promise<T> {
  return vi.waitFor(check, patience);
}

/** The PV of a claim, once it is bound. */
export async function boundVolume(bench: Bench, name: string): Promise<PersistentVolume> {
  const volumeName = await eventually(async () => {
    const claim = await readClaim(bench, name);
    expect(claim.status?.phase, `${name} is bound`).toBe("Bound");
    return claim.spec?.volumeName ?? "";
  });
  return await bench.client.get(persistentVolumes, { name: volumeName });
}

/** PVs of the bench's driver. */
export async function volumesOf(bench: { client: KubeClient; driverName: string }): Promise<PersistentVolume[]> {
  const { items } = await bench.client.list(persistentVolumes);
  return items.filter(({ spec }) => spec?.csi?.driver === bench.driverName);
}

/** That there are as many volumes as PVs, and the same ones. */
export async function expectNothingLeaked(bench: Bench): Promise<void> {
  await eventually(async () => {
    const handles = (await volumesOf(bench)).map(({ spec }) => spec?.csi?.volumeHandle);
    const ids = bench.driver.state().volumes.map(({ id }) => id);
    expect(new Set(ids), "the driver's volumes are those that have a PV").toEqual(new Set(handles));
  });
}

export async function expectNoVolumes(bench: Bench): Promise<void> {
  await eventually(async () => {
    expect(bench.driver.state().volumes).toEqual([]);
    expect(await volumesOf(bench)).toEqual([]);
  });
}
