import {
  type CustomResourceDefinition,
  type JSONSchemaProps,
  volumeGroupSnapshotClasses,
  volumeGroupSnapshotContents,
  volumeGroupSnapshots,
} from "@stowage/machinery";
import {
  atomicList,
  boolean,
  column,
  immutable,
  int64,
  list,
  object,
  objectReference,
  rule,
  string,
  stringMap,
  time,
} from "@stowage/machinery/crds";
import { className, deletionPolicy, eitherFor, failure, snapshotDefinition } from "./snapshot-shapes.ts";

const approvedBy = "https://github.com/kubernetes-csi/external-snapshotter/pull/1337";

const policyText = "What becomes of the snapshots in the storage when their VolumeGroupSnapshot is deleted.";

const requirement = object(
  "One condition on the labels.",
  {
    key: string("The label."),
    operator: string("In, NotIn, Exists or DoesNotExist."),
    values: atomicList("The values for In and NotIn.", { type: "string" }),
  },
  { required: ["key", "operator"] },
);

const selector: JSONSchemaProps = {
  ...object("Which claims of the namespace are meant; asked once, when the group snapshot is begun.", {
    matchExpressions: atomicList("All of these must hold.", requirement),
    matchLabels: stringMap("All of these labels must be there."),
  }),
  "x-kubernetes-map-type": "atomic",
  ...immutable("selector is immutable"),
};

const groupSpec = object(
  "What is asked for.",
  {
    source: object(
      "What the snapshots come from: claims, or a group that exists already. One of the two, and never changed.",
      {
        selector,
        volumeGroupSnapshotContentName: string(
          "The VolumeGroupSnapshotContent of a group that exists already in the storage.",
          immutable("volumeGroupSnapshotContentName is immutable"),
        ),
      },
      { rules: eitherFor("selector", "volumeGroupSnapshotContentName") },
    ),
    volumeGroupSnapshotClassName: className(
      "volumeGroupSnapshotClassName",
      "The VolumeGroupSnapshotClass to use. Without it, the default class of the driver that has the volumes is filled in.",
    ),
  },
  { required: ["source"] },
);

const groupStatus = object(
  "What has become of it. Rely on it only when the VolumeGroupSnapshotContent that it names refers back.",
  {
    boundVolumeGroupSnapshotContentName: string(
      "The VolumeGroupSnapshotContent of this group.",
      immutable("boundVolumeGroupSnapshotContentName is immutable once set"),
    ),
    creationTime: time("When the storage took the snapshots."),
    error: failure("What went wrong last; it is tried again. Gone once it went well."),
    readyToUse: boolean("Whether volumes can be restored from all of the snapshots."),
  },
);

export const volumeGroupSnapshotDefinition: CustomResourceDefinition = snapshotDefinition({
  type: volumeGroupSnapshots,
  shortNames: ["vgs"],
  approvedBy,
  description:
    "Asks for snapshots of several claims' volumes, taken at one moment, or stands for such that exist already.",
  columns: [
    column("ReadyToUse", "boolean", ".status.readyToUse", "Whether volumes can be restored from all of the snapshots."),
    column("VolumeGroupSnapshotClass", "string", ".spec.volumeGroupSnapshotClassName", "The class that was used."),
    column(
      "VolumeGroupSnapshotContent",
      "string",
      ".status.boundVolumeGroupSnapshotContentName",
      "The content of the group; it must refer back for the two to be bound.",
    ),
    column("CreationTime", "date", ".status.creationTime", "When the storage took the snapshots."),
  ],
  fields: { spec: groupSpec, status: groupStatus },
  required: ["spec"],
});

const groupHandles: JSONSchemaProps = {
  ...object(
    "The driver's ids of a group that exists already, and of its members.",
    {
      volumeGroupSnapshotHandle: string("The driver's id of the group."),
      volumeSnapshotHandles: list("The driver's ids of the members.", { type: "string" }),
    },
    { required: ["volumeGroupSnapshotHandle", "volumeSnapshotHandles"] },
  ),
  ...immutable("groupSnapshotHandles is immutable"),
};

const groupReference = objectReference(
  "The VolumeGroupSnapshot that this belongs to. For a group that exists already, give name and namespace; the uid is filled in.",
  [
    rule(
      "has(self.name) && has(self.__namespace__)",
      "both volumeGroupSnapshotRef.name and volumeGroupSnapshotRef.namespace must be set",
    ),
    rule(
      "self.name == oldSelf.name && self.__namespace__ == oldSelf.__namespace__",
      "volumeGroupSnapshotRef.name and volumeGroupSnapshotRef.namespace are immutable",
    ),
    rule(
      "!has(oldSelf.uid) || (has(self.uid) && self.uid == oldSelf.uid)",
      "volumeGroupSnapshotRef.uid is immutable once set",
    ),
  ],
);

const groupContentSpec = object(
  "Which group of snapshots this is.",
  {
    deletionPolicy: deletionPolicy(policyText),
    driver: string("The name of the CSI driver, as it gives it.", immutable("driver is immutable once set")),
    source: object(
      "What the snapshots come from: volumes, or a group that exists already. One of the two, and never changed.",
      {
        groupSnapshotHandles: groupHandles,
        volumeHandles: list(
          "The driver's ids of the volumes to take snapshots of.",
          { type: "string" },
          immutable("volumeHandles is immutable"),
        ),
      },
      { rules: eitherFor("volumeHandles", "groupSnapshotHandles") },
    ),
    volumeGroupSnapshotClassName: string(
      "The class by which the snapshots were taken; it may be gone.",
      immutable("volumeGroupSnapshotClassName is immutable once set"),
    ),
    volumeGroupSnapshotRef: groupReference,
  },
  { required: ["deletionPolicy", "driver", "source", "volumeGroupSnapshotRef"] },
);

const groupContentStatus = object("What the driver told of the group.", {
  creationTime: time("When the snapshots were taken."),
  error: failure("What went wrong last. Gone once it went well."),
  readyToUse: boolean("Whether volumes can be restored from all of the snapshots."),
  volumeGroupSnapshotHandle: string(
    "The driver's id of the group; unknown until the snapshots were taken.",
    immutable("volumeGroupSnapshotHandle is immutable once set"),
  ),
  volumeSnapshotInfoList: list(
    "The members of the group.",
    object("One member.", {
      creationTime: int64("When the snapshot was taken, in nanoseconds since 1970."),
      readyToUse: boolean("Whether a volume can be restored from the snapshot."),
      restoreSize: int64("The size of the snapshot in bytes."),
      snapshotHandle: string("The driver's id of the snapshot."),
      volumeHandle: string("The driver's id of the volume that the snapshot is of."),
    }),
  ),
});

export const volumeGroupSnapshotContentDefinition: CustomResourceDefinition = snapshotDefinition({
  type: volumeGroupSnapshotContents,
  shortNames: ["vgsc", "vgscs"],
  approvedBy,
  description: "A group of snapshots in the storage, taken at one moment or yet to be taken.",
  columns: [
    column("ReadyToUse", "boolean", ".status.readyToUse", "Whether volumes can be restored from all of the snapshots."),
    column("DeletionPolicy", "string", ".spec.deletionPolicy", policyText),
    column("Driver", "string", ".spec.driver", "The CSI driver that has the snapshots."),
    column("VolumeGroupSnapshotClass", "string", ".spec.volumeGroupSnapshotClassName", "The class that was used."),
    column(
      "VolumeGroupSnapshotNamespace",
      "string",
      ".spec.volumeGroupSnapshotRef.namespace",
      "The namespace of the VolumeGroupSnapshot.",
    ),
    column(
      "VolumeGroupSnapshot",
      "string",
      ".spec.volumeGroupSnapshotRef.name",
      "The VolumeGroupSnapshot that this belongs to.",
    ),
  ],
  fields: { spec: groupContentSpec, status: groupContentStatus },
  required: ["spec"],
});

export const volumeGroupSnapshotClassDefinition: CustomResourceDefinition = snapshotDefinition({
  type: volumeGroupSnapshotClasses,
  shortNames: ["vgsclass", "vgsclasses"],
  approvedBy,
  description: "How group snapshots are to be taken, and by which driver.",
  columns: [column("Driver", "string", ".driver"), column("DeletionPolicy", "string", ".deletionPolicy", policyText)],
  fields: {
    deletionPolicy: deletionPolicy(policyText, immutable("deletionPolicy is immutable once set")),
    driver: string("The name of the CSI driver, as it gives it.", immutable("driver is immutable once set")),
    parameters: stringMap(
      "What the driver is to know; those that begin with csi.storage.k8s.io/ are for the sidecars.",
      immutable("parameters are immutable once set"),
    ),
  },
  required: ["deletionPolicy", "driver"],
});
