import type { ResourceTag } from "@stowage/machinery";

export type VolumeKind = "snapshot" | "group snapshot" | "volume";

/** What a cluster has had made in a cloud, and what a cloud says of it. */
export interface CloudVolume extends VolumeName {
  /** As people have named it; empty where nobody has. */
  readonly label: string;
  readonly sizeBytes: bigint;
  readonly tags: Readonly<Record<string, string>>;
  /** `going` is deleted already, and not yet gone. */
  readonly state: "free" | "used" | "going";
  /** Whoever uses it, as far as the cloud says. */
  readonly users: readonly string[];
}

export interface VolumeName {
  readonly kind: VolumeKind;
  readonly id: string;
}

export interface VolumePage {
  readonly volumes: readonly CloudVolume[];
  /** Where the next page begins; undefined after the last. */
  readonly next: string | undefined;
}

export interface PageRequest {
  readonly kind: VolumeKind;
  readonly clusterId: string;
  /** Undefined for the first. */
  readonly after: string | undefined;
}

/**
 * The seam to whatever keeps volumes. Requests are made once each: who calls decides whether to try again. They fail with
 * CLOUD_THROTTLED and CLOUD_UNREACHABLE for what passes by itself, with VOLUME_HELD for what something else has to let go of, and
 * with CLOUD_REFUSED for what will not change.
 */
export interface VolumeCloud {
  /** In messages: `AWS`. */
  readonly title: string;
  /** In the order in which they have to go. */
  readonly kinds: readonly VolumeKind[];
  /** Any one of them says that something is the cluster's own. */
  marksOf(clusterId: string): readonly ResourceTag[];
  /** May have more in it than carries a mark: a cloud's filters are a help, and not relied upon. */
  page(request: PageRequest, signal: AbortSignal): Promise<VolumePage>;
  /** As it is now; undefined when it is gone. */
  read(name: VolumeName, signal: AbortSignal): Promise<CloudVolume | undefined>;
  /** What is gone is deleted already. */
  delete(name: VolumeName, signal: AbortSignal): Promise<void>;
}
