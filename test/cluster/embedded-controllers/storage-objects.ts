import { setTimeout as sleep } from "node:timers/promises";
import type { NewObject } from "@stowage/kube";
import {
  events,
  type PersistentVolume,
  type PersistentVolumeClaim,
  type PersistentVolumeClaimSpec,
  type PersistentVolumeSpec,
  persistentVolumeClaims,
  persistentVolumes,
  type StorageClass,
  storageClasses,
} from "@stowage/machinery";
import type { Scene } from "./scenario.ts";

/** Volumes are the whole cluster's: a class of its own keeps those of a scenario apart. There need be no such object. */
export const classOf = ({ id }: Scene): string => `manual-${id}`;

export const volumeName = ({ id }: Scene, name: string): string => `${name}-${id}`;

export interface VolumeShape extends PersistentVolumeSpec {
  readonly gib?: number;
  readonly labels?: Record<string, string>;
  readonly annotations?: Record<string, string>;
}

/** A CSI volume that is retained, of 1 GiB, unless it says otherwise. */
export function volume(scene: Scene, name: string, shape: VolumeShape = {}): NewObject<PersistentVolume> {
  const { gib = 1, labels, annotations, ...spec } = shape;
  const csi = { driver: `csi-${scene.id}`, volumeHandle: name };
  const hasSource = spec.nfs !== undefined || spec.csi !== undefined;
  return {
    metadata: { name: volumeName(scene, name), labels, annotations },
    spec: {
      capacity: { storage: `${gib}Gi` },
      accessModes: ["ReadWriteOnce"],
      persistentVolumeReclaimPolicy: "Retain",
      storageClassName: classOf(scene),
      ...(hasSource ? {} : { csi }),
      ...spec,
    },
  };
}

/** Creates it and waits until it may be bound. */
export async function offer(scene: Scene, name: string, shape: VolumeShape = {}): Promise<PersistentVolume> {
  const created = await scene.create(persistentVolumes, volume(scene, name, shape));
  return await scene.until(
    persistentVolumes,
    created.metadata.name ?? "",
    ({ status }) => status?.phase === "Available",
  );
}

export interface ClaimShape extends PersistentVolumeClaimSpec {
  readonly gib?: number;
  readonly annotations?: Record<string, string>;
}

export function claim(scene: Scene, name: string, shape: ClaimShape = {}): NewObject<PersistentVolumeClaim> {
  const { gib = 1, annotations, ...spec } = shape;
  return {
    metadata: { name, annotations },
    spec: {
      accessModes: ["ReadWriteOnce"],
      resources: { requests: { storage: `${gib}Gi` } },
      storageClassName: classOf(scene),
      ...spec,
    },
  };
}

export async function ask(scene: Scene, name: string, shape: ClaimShape = {}): Promise<PersistentVolumeClaim> {
  return await scene.create(persistentVolumeClaims, claim(scene, name, shape));
}

/** Waits until the claim has a volume, and both say so. */
export async function untilBound(scene: Scene, name: string): Promise<void> {
  const { spec } = await scene.until(persistentVolumeClaims, name, ({ status }) => status?.phase === "Bound");
  await untilPhase(scene, spec?.volumeName ?? "", "Bound");
}

export async function untilPhase(scene: Scene, fullName: string, phase: string): Promise<void> {
  await scene.until(persistentVolumes, fullName, ({ status }) => status?.phase === phase);
}

const PATIENCE_MS = 45_000;

/**
 * Waits until so many things were told for that reason. The real controllers write events behind everything else, long after all else has
 * come to rest when the machine is busy.
 */
export async function untilTold({ client, namespace, id }: Scene, reason: string, count = 1): Promise<void> {
  for (const until = performance.now() + PATIENCE_MS; ; await sleep(150)) {
    // Of what is the cluster's they are in the namespace `default`.
    const found = await Promise.all([
      client.list(events, { namespace }),
      client.list(events, { namespace: "default" }),
    ]);
    const told = found
      .flatMap(({ items }) => items)
      .filter((event) => event.reason === reason && JSON.stringify(event.involvedObject).includes(id));
    if (told.length >= count) return;
    if (performance.now() > until) throw new Error(`${reason} was told ${told.length} times instead of ${count}`);
  }
}

/** A volume with its claim, bound. */
export async function boundPair(scene: Scene, name: string, shape: VolumeShape = {}): Promise<void> {
  await offer(scene, name, shape);
  await ask(scene, name, { volumeName: volumeName(scene, name), accessModes: shape.accessModes ?? ["ReadWriteOnce"] });
  await untilBound(scene, name);
}

/** The class that `classOf` names, as an object. */
export async function makeClass(scene: Scene, shape: Partial<StorageClass> = {}): Promise<void> {
  const { metadata, ...rest } = shape;
  await scene.create(storageClasses, {
    metadata: { name: classOf(scene), ...metadata },
    provisioner: `csi-${scene.id}`,
    ...rest,
  });
}
