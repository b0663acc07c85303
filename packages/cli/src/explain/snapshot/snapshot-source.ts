import {
  type PersistentVolume,
  type PersistentVolumeClaim,
  persistentVolumeClaims,
  persistentVolumes,
  snapshotAnnotations,
  type VolumeSnapshot,
  volumeSnapshotClasses,
} from "@stowage/machinery";
import type { Facts } from "../facts.ts";
import { type Finding, field, inNamespace, missing } from "../finding.ts";
import { recreate } from "../mending.ts";

async function claimOf({ metadata, spec }: VolumeSnapshot, facts: Facts): Promise<PersistentVolumeClaim | undefined> {
  const name = spec.source.persistentVolumeClaimName;
  return name === undefined ? undefined : facts.find(persistentVolumeClaims, { namespace: metadata.namespace, name });
}

async function volumeOf(snapshot: VolumeSnapshot, facts: Facts): Promise<PersistentVolume | undefined> {
  const name = (await claimOf(snapshot, facts))?.spec?.volumeName;
  return name === undefined ? undefined : facts.find(persistentVolumes, { name });
}

export async function sourceClaim(snapshot: VolumeSnapshot, facts: Facts): Promise<Finding | undefined> {
  const name = snapshot.spec.source.persistentVolumeClaimName;
  if (name === undefined) return undefined;
  const { namespace } = snapshot.metadata;
  const asked = field(snapshot, "spec.source.persistentVolumeClaimName", name);
  const claim = await claimOf(snapshot, facts);
  if (claim === undefined) {
    return {
      cause: "SNAPSHOT_CLAIM_MISSING",
      says: `The snapshot is to be taken of claim ${namespace}/${name}, which does not exist.`,
      evidence: [asked, missing("PersistentVolumeClaim", { namespace, name })],
      mend: [
        `kubectl get pvc -n ${namespace}`,
        recreate(snapshot, `persistentVolumeClaimName: ${name}`, "persistentVolumeClaimName: CLAIM"),
      ],
    };
  }
  if (claim.status?.phase === "Bound") return undefined;
  return {
    cause: "SNAPSHOT_CLAIM_UNBOUND",
    says: `The snapshot is to be taken of claim ${namespace}/${name}, which has no volume yet.`,
    evidence: [asked, field(claim, "status.phase", claim.status?.phase ?? "Pending")],
    mend: [`stowage explain pvc ${name} -n ${namespace}`],
  };
}

/** Only CSI drivers take snapshots. */
export async function sourceVolume(snapshot: VolumeSnapshot, facts: Facts): Promise<Finding | undefined> {
  const volume = await volumeOf(snapshot, facts);
  if (volume === undefined || volume.spec?.csi !== undefined) return undefined;
  return {
    cause: "SNAPSHOT_VOLUME_NOT_CSI",
    says: `PersistentVolume "${volume.metadata.name}" is not of a CSI driver, and no snapshot can be taken of such.`,
    evidence: [field(volume, "spec", Object.keys(volume.spec ?? {}).join(", "))],
    mend: [`kubectl delete volumesnapshot ${snapshot.metadata.name}${inNamespace(snapshot.metadata)}`],
  };
}

export async function snapshotClass(snapshot: VolumeSnapshot, facts: Facts): Promise<Finding | undefined> {
  const name = snapshot.spec.volumeSnapshotClassName;
  const driver = (await volumeOf(snapshot, facts))?.spec?.csi?.driver;
  if (name === undefined) return defaultSnapshotClass(snapshot, driver, facts);
  const asked = field(snapshot, "spec.volumeSnapshotClassName", name);
  const found = await facts.find(volumeSnapshotClasses, { name });
  if (found === undefined) {
    return {
      cause: "SNAPSHOT_CLASS_MISSING",
      says: `The snapshot names VolumeSnapshotClass "${name}", which does not exist.`,
      evidence: [asked, missing("VolumeSnapshotClass", { name })],
      mend: [
        "kubectl get volumesnapshotclass",
        recreate(snapshot, `volumeSnapshotClassName: ${name}`, "volumeSnapshotClassName: CLASS"),
      ],
    };
  }
  if (driver === undefined || found.driver === driver) return undefined;
  return {
    cause: "SNAPSHOT_CLASS_OTHER_DRIVER",
    says: `VolumeSnapshotClass "${name}" is of driver ${found.driver}, the volume of ${driver}.`,
    evidence: [asked, field(found, "driver", found.driver)],
    mend: [
      "kubectl get volumesnapshotclass",
      recreate(snapshot, `volumeSnapshotClassName: ${name}`, "volumeSnapshotClassName: CLASS"),
    ],
  };
}

async function defaultSnapshotClass(
  snapshot: VolumeSnapshot,
  driver: string | undefined,
  facts: Facts,
): Promise<Finding | undefined> {
  if (driver === undefined || snapshot.spec.source.persistentVolumeClaimName === undefined) return undefined;
  const ofDriver = (await facts.list(volumeSnapshotClasses)).filter((each) => each.driver === driver);
  const defaults = ofDriver.filter(
    ({ metadata }) => metadata.annotations?.[snapshotAnnotations.isDefaultClass] === "true",
  );
  const asked = field(snapshot, "spec.volumeSnapshotClassName", "not set");
  if (defaults.length === 1) return undefined;
  if (defaults.length > 1) {
    return {
      cause: "SNAPSHOT_CLASSES_SEVERAL_DEFAULTS",
      says: `The snapshot names no class, and ${defaults.length} classes are the default of driver ${driver}.`,
      evidence: [
        asked,
        ...defaults.map((each) => field(each, `metadata.annotations.${snapshotAnnotations.isDefaultClass}`, "true")),
      ],
      mend: defaults
        .slice(1)
        .map(
          ({ metadata }) =>
            `kubectl annotate volumesnapshotclass ${metadata.name} ${snapshotAnnotations.isDefaultClass}-`,
        ),
    };
  }
  const name = ofDriver[0]?.metadata.name ?? "CLASS";
  return {
    cause: "SNAPSHOT_CLASS_NO_DEFAULT",
    says: `The snapshot names no class, and none is the default of driver ${driver}.`,
    evidence: [
      asked,
      {
        object: "VolumeSnapshotClasses",
        value: `${ofDriver.length} of driver ${driver}, none with ${snapshotAnnotations.isDefaultClass}=true`,
      },
    ],
    mend: [`kubectl annotate volumesnapshotclass ${name} ${snapshotAnnotations.isDefaultClass}=true`],
  };
}
