import {
  type CustomResourceDefinition,
  volumeSnapshotClasses,
  volumeSnapshotContents,
  volumeSnapshots,
} from "@stowage/machinery";
import {
  boolean,
  column,
  immutable,
  int64,
  object,
  objectReference,
  quantity,
  rule,
  string,
  stringMap,
  time,
} from "@stowage/machinery/crds";
import { className, deletionPolicy, eitherFor, failure, snapshotDefinition } from "./snapshot-shapes.ts";

const approval = (pull: number) => `https://github.com/kubernetes-csi/external-snapshotter/pull/${pull}`;

const policyText = "What becomes of the snapshot in the storage when its VolumeSnapshot is deleted.";

const snapshotSource = object(
  "What the snapshot comes from: a claim, or a snapshot that exists already. One of the two, and never changed.",
  {
    persistentVolumeClaimName: string(
      "The claim to take a snapshot of, in the namespace of the VolumeSnapshot.",
      immutable("persistentVolumeClaimName is immutable"),
    ),
    volumeSnapshotContentName: string(
      "The VolumeSnapshotContent of a snapshot that exists already in the storage.",
      immutable("volumeSnapshotContentName is immutable"),
    ),
  },
  { rules: eitherFor("persistentVolumeClaimName", "volumeSnapshotContentName") },
);

const snapshotSpec = object(
  "What is asked for.",
  {
    source: snapshotSource,
    volumeSnapshotClassName: className(
      "volumeSnapshotClassName",
      "The VolumeSnapshotClass to use. Without it, the default class of the driver that has the volume is filled in; when there " +
        "are several defaults or none, nothing is done but to say so.",
    ),
  },
  { required: ["source"] },
);

const snapshotStatus = object(
  "What has become of it. Rely on it only when the VolumeSnapshotContent that it names refers back to this VolumeSnapshot.",
  {
    boundVolumeSnapshotContentName: string("The VolumeSnapshotContent of this snapshot."),
    creationTime: time("When the storage took the snapshot."),
    error: failure("What went wrong last; it is tried again. Gone once it went well."),
    readyToUse: boolean("Whether a volume can be restored from the snapshot."),
    restoreSize: quantity("The smallest volume that the snapshot can be restored to."),
    volumeGroupSnapshotName: string("The VolumeGroupSnapshot that this snapshot is a member of."),
  },
);

export const volumeSnapshotDefinition: CustomResourceDefinition = snapshotDefinition({
  type: volumeSnapshots,
  shortNames: ["vs"],
  approvedBy: approval(814),
  description: "Asks for a snapshot of a claim's volume, or stands for a snapshot that exists already.",
  columns: [
    column("ReadyToUse", "boolean", ".status.readyToUse", "Whether a volume can be restored from the snapshot."),
    column("SourcePVC", "string", ".spec.source.persistentVolumeClaimName", "The claim that the snapshot is of."),
    column(
      "SourceSnapshotContent",
      "string",
      ".spec.source.volumeSnapshotContentName",
      "The content of a snapshot that existed already.",
    ),
    column("RestoreSize", "string", ".status.restoreSize", "The smallest volume that it can be restored to."),
    column("SnapshotClass", "string", ".spec.volumeSnapshotClassName", "The class that was used."),
    column(
      "SnapshotContent",
      "string",
      ".status.boundVolumeSnapshotContentName",
      "The content of the snapshot; it must refer back for the two to be bound.",
    ),
    column("CreationTime", "date", ".status.creationTime", "When the storage took the snapshot."),
  ],
  fields: { spec: snapshotSpec, status: snapshotStatus },
  required: ["spec"],
});

const contentSource = object(
  "What the snapshot comes from: a volume, or a snapshot that exists already. One of the two, and never changed.",
  {
    volumeHandle: string(
      "The driver's id of the volume to take a snapshot of.",
      immutable("volumeHandle is immutable"),
    ),
    snapshotHandle: string(
      "The driver's id of a snapshot that exists already.",
      immutable("snapshotHandle is immutable"),
    ),
  },
  { rules: eitherFor("volumeHandle", "snapshotHandle") },
);

const contentSpec = object(
  "Which snapshot this is.",
  {
    deletionPolicy: deletionPolicy(policyText),
    driver: string("The name of the CSI driver, as it gives it."),
    source: contentSource,
    sourceVolumeMode: string(
      "Filesystem or Block, as the volume was used; left out when that is not known.",
      immutable("sourceVolumeMode is immutable"),
    ),
    volumeSnapshotClassName: string("The class by which the snapshot was taken; it may have changed since."),
    volumeSnapshotRef: objectReference(
      "The VolumeSnapshot that this belongs to. For a snapshot that exists already, give name and namespace; the uid is filled in.",
      [
        rule(
          "has(self.name) && has(self.__namespace__)",
          "both spec.volumeSnapshotRef.name and spec.volumeSnapshotRef.namespace must be set",
        ),
      ],
    ),
  },
  {
    required: ["deletionPolicy", "driver", "source", "volumeSnapshotRef"],
    rules: [
      rule("!has(oldSelf.sourceVolumeMode) || has(self.sourceVolumeMode)", "sourceVolumeMode is required once set"),
    ],
  },
);

const contentStatus = object("What the driver told of the snapshot.", {
  creationTime: int64("When the snapshot was taken, in nanoseconds since 1970."),
  error: failure("What went wrong last. Gone once it went well."),
  readyToUse: boolean("Whether a volume can be restored from the snapshot."),
  restoreSize: int64("The size of the snapshot in bytes.", { minimum: 0 }),
  snapshotHandle: string("The driver's id of the snapshot; unknown until it was taken."),
  volumeGroupSnapshotHandle: string("The driver's id of the group snapshot that it is a member of."),
});

export const volumeSnapshotContentDefinition: CustomResourceDefinition = snapshotDefinition({
  type: volumeSnapshotContents,
  shortNames: ["vsc", "vscs"],
  approvedBy: approval(955),
  description: "A snapshot in the storage, taken or yet to be taken.",
  columns: [
    column("ReadyToUse", "boolean", ".status.readyToUse", "Whether a volume can be restored from the snapshot."),
    column("RestoreSize", "integer", ".status.restoreSize", "The size of the snapshot in bytes."),
    column("DeletionPolicy", "string", ".spec.deletionPolicy", policyText),
    column("Driver", "string", ".spec.driver", "The CSI driver that has the snapshot."),
    column("VolumeSnapshotClass", "string", ".spec.volumeSnapshotClassName", "The class that was used."),
    column("VolumeSnapshot", "string", ".spec.volumeSnapshotRef.name", "The VolumeSnapshot that this belongs to."),
    column("VolumeSnapshotNamespace", "string", ".spec.volumeSnapshotRef.namespace", "Its namespace."),
  ],
  fields: { spec: contentSpec, status: contentStatus },
  required: ["spec"],
});

export const volumeSnapshotClassDefinition: CustomResourceDefinition = snapshotDefinition({
  type: volumeSnapshotClasses,
  shortNames: ["vsclass", "vsclasses"],
  approvedBy: approval(814),
  description: "How snapshots are to be taken, and by which driver.",
  columns: [column("Driver", "string", ".driver"), column("DeletionPolicy", "string", ".deletionPolicy", policyText)],
  fields: {
    deletionPolicy: deletionPolicy(policyText),
    driver: string("The name of the CSI driver, as it gives it."),
    parameters: stringMap(
      "What the driver is to know; those that begin with csi.storage.k8s.io/ are for the sidecars.",
    ),
  },
  required: ["deletionPolicy", "driver"],
});
