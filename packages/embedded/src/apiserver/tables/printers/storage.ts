import type {
  CSIDriver,
  CSINode,
  PersistentVolume,
  PersistentVolumeClaim,
  StorageClass,
  VolumeAttachment,
  VolumeAttributesClass,
} from "@stowage/machinery";
import { amountText } from "../cell-texts.ts";
import { ageColumn, column, nameColumn, typed, wide } from "../columns.ts";
import { type Printers, printer } from "../printer.ts";

export const storagePrinters: Printers = {
  "PersistentVolume.": printer<PersistentVolume>({
    columns: [
      nameColumn,
      column("Capacity", { of: "PersistentVolumeSpec.capacity" }),
      column("Access Modes", { of: "PersistentVolumeSpec.accessModes" }),
      column("Reclaim Policy", { of: "PersistentVolumeSpec.persistentVolumeReclaimPolicy" }),
      column("Status", { of: "PersistentVolumeStatus.phase" }),
      column("Claim", { of: "PersistentVolumeSpec.claimRef" }),
      column("StorageClass", { says: "StorageClass of the pv" }),
      column("VolumeAttributesClass", { says: "VolumeAttributesClass of the pv" }),
      column("Reason", { of: "PersistentVolumeStatus.reason" }),
      ageColumn,
      wide("VolumeMode", { of: "PersistentVolumeSpec.volumeMode" }),
    ],
    cells: ({ metadata, spec, status }, ages) => [
      metadata?.name ?? "",
      amountText(spec?.capacity?.["storage"]),
      modesText(spec?.accessModes),
      spec?.persistentVolumeReclaimPolicy ?? "",
      phaseText(metadata, status),
      spec?.claimRef === undefined ? "" : `${spec.claimRef.namespace ?? ""}/${spec.claimRef.name ?? ""}`,
      className(metadata, spec),
      spec?.volumeAttributesClassName ?? "<unset>",
      status?.reason ?? "",
      ages.since(metadata?.creationTimestamp),
      spec?.volumeMode ?? "<unset>",
    ],
  }),
  "PersistentVolumeClaim.": printer<PersistentVolumeClaim>({
    columns: [
      nameColumn,
      column("Status", { of: "PersistentVolumeClaimStatus.phase" }),
      column("Volume", { of: "PersistentVolumeClaimSpec.volumeName" }),
      column("Capacity", { of: "PersistentVolumeClaimStatus.capacity" }),
      column("Access Modes", { of: "PersistentVolumeClaimStatus.accessModes" }),
      column("StorageClass", { says: "StorageClass of the pvc" }),
      column("VolumeAttributesClass", { says: "VolumeAttributesClass of the pvc" }),
      ageColumn,
      wide("VolumeMode", { of: "PersistentVolumeClaimSpec.volumeMode" }),
    ],
    cells({ metadata, spec, status }, ages) {
      const volume = spec?.volumeName ?? "";
      return [
        metadata?.name ?? "",
        phaseText(metadata, status),
        volume,
        // Nothing is known of them before there is a volume.
        volume === "" ? "" : amountText(status?.capacity?.["storage"]),
        volume === "" ? "" : modesText(status?.accessModes),
        className(metadata, spec),
        spec?.volumeAttributesClassName ?? "<unset>",
        ages.since(metadata?.creationTimestamp),
        spec?.volumeMode ?? "<unset>",
      ];
    },
  }),
  "StorageClass.storage.k8s.io": printer<StorageClass>({
    columns: [
      nameColumn,
      column("Provisioner", { of: "StorageClass.provisioner" }),
      column("ReclaimPolicy", { of: "StorageClass.reclaimPolicy" }),
      column("VolumeBindingMode", { of: "StorageClass.volumeBindingMode" }),
      column("AllowVolumeExpansion", { of: "StorageClass.allowVolumeExpansion" }),
      ageColumn,
    ],
    cells: ({ metadata, provisioner, reclaimPolicy, volumeBindingMode, allowVolumeExpansion }, ages) => [
      `${metadata?.name ?? ""}${isDefaultClass(metadata?.annotations) ? " (default)" : ""}`,
      provisioner ?? "",
      reclaimPolicy ?? "Delete",
      volumeBindingMode ?? "Immediate",
      allowVolumeExpansion ?? false,
      ages.since(metadata?.creationTimestamp),
    ],
  }),
  "VolumeAttributesClass.storage.k8s.io": printer<VolumeAttributesClass>({
    columns: [nameColumn, column("DriverName", { of: "VolumeAttributesClass.driverName" }), ageColumn],
    cells: ({ metadata, driverName }, ages) => [
      metadata?.name ?? "",
      driverName ?? "",
      ages.since(metadata?.creationTimestamp),
    ],
  }),
  "VolumeAttachment.storage.k8s.io": printer<VolumeAttachment>({
    columns: [
      nameColumn,
      { ...column("Attacher", { of: "VolumeAttachmentSpec.attacher" }), format: "name" },
      column("PV", { of: "VolumeAttachmentSource.persistentVolumeName" }),
      column("Node", { of: "VolumeAttachmentSpec.nodeName" }),
      typed("boolean", "Attached", { of: "VolumeAttachmentStatus.attached" }),
      ageColumn,
    ],
    cells: ({ metadata, spec, status }, ages) => [
      metadata?.name ?? "",
      spec?.attacher ?? "",
      spec?.source?.persistentVolumeName ?? "",
      spec?.nodeName ?? "",
      status?.attached ?? false,
      ages.since(metadata?.creationTimestamp),
    ],
  }),
  "CSINode.storage.k8s.io": printer<CSINode>({
    columns: [
      nameColumn,
      typed("integer", "Drivers", { says: "Drivers indicates the number of CSI drivers registered on the node" }),
      ageColumn,
    ],
    cells: ({ metadata, spec }, ages) => [
      metadata?.name ?? "",
      spec?.drivers?.length ?? 0,
      ages.since(metadata?.creationTimestamp),
    ],
  }),
  "CSIDriver.storage.k8s.io": printer<CSIDriver>({
    columns: [
      nameColumn,
      typed("boolean", "AttachRequired", { of: "CSIDriverSpec.attachRequired" }),
      typed("boolean", "PodInfoOnMount", { of: "CSIDriverSpec.podInfoOnMount" }),
      typed("boolean", "StorageCapacity", { of: "CSIDriverSpec.storageCapacity" }),
      column("TokenRequests", { of: "CSIDriverSpec.tokenRequests" }),
      typed("boolean", "RequiresRepublish", { of: "CSIDriverSpec.requiresRepublish" }),
      column("Modes", { of: "CSIDriverSpec.volumeLifecycleModes" }),
      ageColumn,
    ],
    cells: ({ metadata, spec }, ages) => [
      metadata?.name ?? "",
      spec?.attachRequired ?? true,
      spec?.podInfoOnMount ?? false,
      spec?.storageCapacity ?? false,
      spec?.tokenRequests?.map(({ audience }) => audience ?? "").join(",") ?? "<unset>",
      spec?.requiresRepublish ?? false,
      spec?.volumeLifecycleModes?.join(",") || "<none>",
      ages.since(metadata?.creationTimestamp),
    ],
  }),
};

const shortModes = [
  ["ReadWriteOnce", "RWO"],
  ["ReadOnlyMany", "ROX"],
  ["ReadWriteMany", "RWX"],
  ["ReadWriteOncePod", "RWOP"],
] as const;

/** In their own order, whatever that of the object. */
function modesText(modes: readonly string[] = []): string {
  const shown = shortModes.filter(([mode]) => modes.includes(mode));
  return shown.map(([, short]) => short).join(",");
}

interface Metadata {
  readonly deletionTimestamp?: string | undefined;
  readonly annotations?: Readonly<Record<string, string | undefined>> | undefined;
}

function phaseText(
  metadata: Metadata | undefined,
  status: { readonly phase?: string | undefined } | undefined,
): string {
  return metadata?.deletionTimestamp === undefined ? (status?.phase ?? "") : "Terminating";
}

/** The annotation is older than the field, and still goes first. */
function className(
  metadata: Metadata | undefined,
  spec: { readonly storageClassName?: string | undefined } | undefined,
): string {
  return metadata?.annotations?.["volume.beta.kubernetes.io/storage-class"] ?? spec?.storageClassName ?? "";
}

function isDefaultClass(annotations: Metadata["annotations"] = {}): boolean {
  const names = ["storageclass.kubernetes.io/is-default-class", "storageclass.beta.kubernetes.io/is-default-class"];
  return names.some((name) => annotations[name] === "true");
}
