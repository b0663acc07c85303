import { VolumeCapability_AccessMode_Mode as Mode, type Topology, type Volume } from "@stowage/csi";
import {
  type CSIPersistentVolumeSource,
  type PersistentVolume,
  type PersistentVolumeClaim,
  persistentVolumeClaims,
  persistentVolumes,
  type SecretReference,
  storageClasses,
  type VolumeNodeAffinity,
} from "@stowage/machinery";
import { type Cluster, eventually } from "./cluster.ts";
import type { DriverProcess } from "./driver-process.ts";

/** What a provisioner would be asked for. */
export interface VolumeWish {
  /** Of the volume, its PersistentVolume and its claim. */
  readonly name: string;
  /** None for raw block. */
  readonly fsType?: string;
  readonly volumeMode?: "Filesystem" | "Block";
  readonly sizeBytes?: bigint;
  readonly mountOptions?: string[];
  /** `nodeStageSecretRef` and its like. */
  readonly secrets?: Partial<CSIPersistentVolumeSource>;
  /** What CreateVolume is to carry. */
  readonly createSecrets?: Record<string, string>;
  /** Retain when left out: the volume stays, since no provisioner made it. */
  readonly reclaimPolicy?: "Retain" | "Delete";
  /** Of the PersistentVolume. */
  readonly annotations?: Record<string, string>;
}

const MIB = 1024n ** 2n;
const DEFAULT_BYTES = 64n * MIB;
const CLASS = "by-hand";

/** Claims of no class cannot be grown. */
export async function createStorageClass({ client }: Pick<Cluster, "client">): Promise<void> {
  await client.create(storageClasses, {
    metadata: { name: CLASS },
    provisioner: "kubernetes.io/no-provisioner",
    allowVolumeExpansion: true,
  });
}

/** Does by hand what the provisioner does: the volume, a PersistentVolume for it, and a claim that is bound to it. Returns the handle. */
export async function provision(
  cluster: Pick<Cluster, "client" | "namespace">,
  driver: Pick<DriverProcess, "name" | "csi">,
  wish: VolumeWish,
): Promise<string> {
  const { volume } = await driver.csi.controller.createVolume({
    name: wish.name,
    capacityRange: { requiredBytes: wish.sizeBytes ?? DEFAULT_BYTES },
    secrets: wish.createSecrets,
    volumeCapabilities: [wish.volumeMode === "Block" ? blockUse : mountUse(wish.fsType)],
  });
  if (volume === undefined) throw new Error(`${driver.name} made no volume ${wish.name}`);
  await cluster.client.create(persistentVolumes, persistentVolume(cluster, { driver: driver.name, wish, volume }));
  await cluster.client.create(persistentVolumeClaims, claim(cluster, wish));
  return volume.volumeId;
}

const accessMode = { mode: Mode.SINGLE_NODE_MULTI_WRITER };
const blockUse = { accessMode, accessType: { case: "block" as const, value: {} } };
const mountUse = (fsType = "") => ({ accessMode, accessType: { case: "mount" as const, value: { fsType } } });

interface Provisioned {
  readonly driver: string;
  readonly wish: VolumeWish;
  readonly volume: Volume;
}

function persistentVolume(
  { namespace }: Pick<Cluster, "namespace">,
  { driver, wish, volume }: Provisioned,
): PersistentVolume {
  const { name, fsType, volumeMode, mountOptions, secrets, annotations, reclaimPolicy = "Retain" } = wish;
  const [topology] = volume.accessibleTopology;
  return {
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: { name, annotations },
    spec: {
      storageClassName: CLASS,
      capacity: { storage: `${volume.capacityBytes}` },
      accessModes: ["ReadWriteOnce"],
      persistentVolumeReclaimPolicy: reclaimPolicy,
      volumeMode,
      mountOptions,
      claimRef: { apiVersion: "v1", kind: "PersistentVolumeClaim", namespace, name },
      csi: { driver, volumeHandle: volume.volumeId, fsType, volumeAttributes: volume.volumeContext, ...secrets },
      nodeAffinity: topology && affinityOf(topology),
    },
  };
}

function affinityOf({ segments }: Topology): VolumeNodeAffinity {
  const matchExpressions = Object.entries(segments).map(([key, value]) => ({
    key,
    operator: "In" as const,
    values: [value],
  }));
  return { required: { nodeSelectorTerms: [{ matchExpressions }] } };
}

function claim(
  { namespace }: Pick<Cluster, "namespace">,
  { name, volumeMode, sizeBytes = DEFAULT_BYTES }: VolumeWish,
): PersistentVolumeClaim {
  return {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { name, namespace },
    spec: {
      storageClassName: CLASS,
      volumeName: name,
      volumeMode,
      accessModes: ["ReadWriteOnce"],
      resources: { requests: { storage: `${sizeBytes}` } },
    },
  };
}

export interface Growth {
  /** Of the PersistentVolume and its claim. */
  readonly name: string;
  readonly volumeId: string;
  readonly toBytes: bigint;
}

/** Does by hand what the resizer does, up to where it is the node's turn. */
export async function growOnController(
  { client, namespace }: Cluster,
  driver: DriverProcess,
  { name, volumeId, toBytes }: Growth,
): Promise<void> {
  const storage = `${toBytes}`;
  const ref = { namespace, name };
  const merge = (patch: object) => ({ type: "merge", patch }) as const;
  await client.patch(persistentVolumeClaims, ref, merge({ spec: { resources: { requests: { storage } } } }));
  await driver.csi.controller.controllerExpandVolume({ volumeId, capacityRange: { requiredBytes: toBytes } });
  const { spec } = await client.get(persistentVolumes, { name });
  const annotations = { "volume.alpha.kubernetes.io/pre-resize-capacity": spec?.capacity?.storage };
  await client.patch(
    persistentVolumes,
    { name },
    merge({ metadata: { annotations }, spec: { capacity: { storage } } }),
  );
  const status = {
    allocatedResources: { storage },
    allocatedResourceStatuses: { storage: "NodeResizePending" },
    conditions: [{ type: "FileSystemResizePending", status: "True", lastTransitionTime: new Date().toISOString() }],
  };
  await client.patch(persistentVolumeClaims, ref, merge({ status }), { subresource: "status" });
}

/** Until kubelet, or where there is nothing for it to do the resizer, says that the claim has the size. */
export async function awaitGrown({ client, namespace }: Cluster, name: string, bytes: bigint): Promise<void> {
  await eventually(async () => {
    const { status } = await client.get(persistentVolumeClaims, { namespace, name });
    if (status?.capacity?.storage !== `${bytes}` || status.allocatedResourceStatuses !== undefined)
      throw new Error(`${name} has not grown: ${JSON.stringify(status)}`);
  });
}

export function secretRef(name: string): SecretReference {
  return { name, namespace: "default" };
}
