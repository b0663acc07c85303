import type { VolumeCapability_AccessMode_Mode } from "@stowage/csi";

export type AccessType = "block" | "mount";

export type Segments = Readonly<Record<string, string>>;

export type ContentSource =
  | { readonly kind: "snapshot"; readonly id: string }
  | { readonly kind: "volume"; readonly id: string };

export interface Attachment {
  readonly accessType: AccessType;
  readonly accessMode: VolumeCapability_AccessMode_Mode;
  readonly isReadOnly: boolean;
}

/** What ails a volume or a whole storage; healthy when there is none. */
export interface Ailment {
  readonly status: "degraded" | "inaccessible" | "dataLoss";
  readonly reason: string;
  readonly message: string;
}

export interface MockVolume {
  readonly id: string;
  readonly name: string;
  /** Grows with each new object, so that lists have an order in which pages can be counted. */
  readonly sequence: number;
  readonly capacityBytes: bigint;
  readonly accessTypes: readonly AccessType[];
  readonly parameters: Readonly<Record<string, string>>;
  readonly mutableParameters: Readonly<Record<string, string>>;
  readonly source?: ContentSource;
  readonly topology: readonly Segments[];
  /** By node. */
  readonly attachments: Readonly<Record<string, Attachment>>;
  readonly ailment?: Ailment;
}

export interface MockSnapshot {
  readonly id: string;
  readonly name: string;
  readonly sequence: number;
  readonly sourceVolumeId: string;
  readonly sizeBytes: bigint;
  readonly parameters: Readonly<Record<string, string>>;
  readonly createdAtMs: number;
  readonly groupId?: string;
}

export interface MockGroupSnapshot {
  readonly id: string;
  readonly name: string;
  readonly sequence: number;
  readonly sourceVolumeIds: readonly string[];
  readonly parameters: Readonly<Record<string, string>>;
  readonly snapshotIds: readonly string[];
  readonly createdAtMs: number;
}
