/** How a volume is handed to its user. */
export type AccessType = "mount" | "block";

export type ContentSource =
  | { readonly kind: "snapshot"; readonly id: string }
  | { readonly kind: "volume"; readonly id: string };

export interface VolumeRecord {
  readonly id: string;
  readonly name: string;
  readonly capacityBytes: bigint;
  readonly access: AccessType;
  /** Empty for block volumes and for directories. */
  readonly fsType: string;
  readonly source?: ContentSource;
  /** Lives and dies with the Pod that it was published for. */
  readonly isEphemeral: boolean;
  /** Whose volume this is: the cluster's id and whatever else the driver was told to mark volumes with. */
  readonly labels: Readonly<Record<string, string>>;
  /** What a VolumeAttributesClass has set. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly createdAtMs: number;
  readonly attachment?: { readonly nodeId: string; readonly isReadOnly: boolean };
}

export interface SnapshotRecord {
  readonly id: string;
  readonly name: string;
  readonly volumeId: string;
  readonly sizeBytes: bigint;
  readonly access: AccessType;
  readonly fsType: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly createdAtMs: number;
  readonly groupId?: string;
}

export interface GroupRecord {
  readonly id: string;
  readonly name: string;
  readonly snapshotIds: readonly string[];
  readonly volumeIds: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
  readonly createdAtMs: number;
}
