import type { KubernetesObject, PersistentVolume } from "@stowage/machinery";
import { provisionerOf, type UsageObjects } from "./usage-kinds.ts";

/** Something that would be broken without the driver. */
export interface Holder {
  /** `PersistentVolume`, or in a few words what is special about the object. */
  readonly what: string;
  /** With its namespace, and with what people know it by where that is something else. */
  readonly name: string;
}

/** Who uses the driver, by kind and name. */
export function holdersOf(driverName: string, objects: UsageObjects): Holder[] {
  const { volumes, attachments, pods, snapshotContents } = objects;
  return [
    ...named("PersistentVolume", volumes, volumeName),
    ...named("PersistentVolumeClaim without a volume yet", claimsOf(driverName, objects)),
    ...named("VolumeAttachment", attachments, (each) => `${nameOf(each)} on node ${each.spec.nodeName}`),
    ...named("Pod with an inline volume", pods),
    ...named("VolumeSnapshotContent", snapshotContents, (each) => {
      const { namespace, name } = each.spec.volumeSnapshotRef;
      return name === undefined ? nameOf(each) : `${nameOf(each)} of snapshot ${namespace}/${name}`;
    }),
    ...named("VolumeSnapshot without a content yet", snapshotsOf(objects)),
  ];
}

/** A claim of the driver's class waits for it also where nobody has been told to make its volume yet. */
function claimsOf(driverName: string, { claims, classes }: UsageObjects) {
  const classNames = new Set(classes.map(nameOf));
  return claims.filter((claim) => {
    const provisioner = provisionerOf(claim);
    if (provisioner !== undefined) return provisioner === driverName;
    return classNames.has(claim.spec?.storageClassName ?? "");
  });
}

/** Without a class the volume decides, which is among the holders then. */
function snapshotsOf({ snapshots, snapshotClasses }: UsageObjects) {
  const classNames = new Set(snapshotClasses.map(nameOf));
  return snapshots.filter(({ spec }) => classNames.has(spec.volumeSnapshotClassName ?? ""));
}

function volumeName(volume: PersistentVolume): string {
  const { claimRef } = volume.spec ?? {};
  return claimRef === undefined ? nameOf(volume) : `${nameOf(volume)} of claim ${claimRef.namespace}/${claimRef.name}`;
}

function named<T extends KubernetesObject>(
  what: string,
  objects: readonly T[],
  toName: (object: T) => string = nameOf,
): Holder[] {
  return objects.map((object) => ({ what, name: toName(object) }));
}

function nameOf({ metadata: { namespace, name = "" } }: KubernetesObject): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}
