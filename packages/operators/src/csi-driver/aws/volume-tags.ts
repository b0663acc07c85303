import { createHash } from "node:crypto";
import type { PersistentVolume, ResourceTag } from "@stowage/machinery";

/** What is to be tagged for a volume of Kubernetes. */
export interface TaggedVolume {
  /** Of the PersistentVolume. */
  readonly name: string;
  /** In AWS. */
  readonly id: string;
}

export interface VolumeChoice {
  readonly driverName: string;
  /** On a PersistentVolume: of the tags that it has in AWS. Renaming it has every volume tagged once more. */
  readonly annotation: string;
  /** What is tagged in AWS, by the volume's handle; undefined when there is nothing. */
  idOf(volumeHandle: string): string | undefined;
}

/** As the originals do it, so that nothing is tagged again when a cluster changes hands. */
export function tagsHash(tags: readonly ResourceTag[]): string {
  const sorted = tags.toSorted((a, b) => Buffer.compare(Buffer.from(a.key), Buffer.from(b.key)));
  const text = sorted.map(({ key, value }) => `${key}=${value};`).join("");
  return createHash("sha256").update(text).digest("hex");
}

/** None for volumes that are tagged already, and for those of other drivers. */
export function untaggedVolume(
  { metadata, spec }: PersistentVolume,
  { driverName, annotation, idOf }: VolumeChoice,
  hash: string,
): TaggedVolume[] {
  if (spec?.csi?.driver !== driverName || metadata.annotations?.[annotation] === hash) return [];
  const id = idOf(spec.csi.volumeHandle);
  return id === undefined ? [] : [{ name: metadata.name ?? "", id }];
}

export interface BatchRules {
  readonly batchSize: number;
  isDue(name: string): boolean;
  isAlone(name: string): boolean;
}

/** What is asked for together, of what is due. */
export function desiredBatches(
  volumes: readonly TaggedVolume[],
  { batchSize, isDue, isAlone }: BatchRules,
): TaggedVolume[][] {
  const due = volumes.filter(({ name }) => isDue(name));
  const together = due.filter(({ name }) => !isAlone(name));
  const batches: TaggedVolume[][] = [];
  for (let at = 0; at < together.length; at += batchSize) batches.push(together.slice(at, at + batchSize));
  return [...batches, ...due.filter(({ name }) => isAlone(name)).map((volume) => [volume])];
}

/** Of a volume of EFS, `fs-1::fsap-2`. One without an access point is the whole file system, which is the administrator's. */
export function accessPointOf(volumeHandle: string): string | undefined {
  const [, id, ...others] = volumeHandle.split("::");
  return id?.startsWith("fsap-") && others.length === 0 ? id : undefined;
}
