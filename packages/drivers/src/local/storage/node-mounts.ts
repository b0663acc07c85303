import type { VolumeRecord } from "../state/records.ts";
import type { Ailment } from "./ailment.ts";

/** A volume and where its content lies. */
export interface NodeVolume {
  readonly record: VolumeRecord;
  readonly contentPath: string;
}

export interface StageRequest {
  readonly path: string;
  readonly mountFlags: readonly string[];
}

export interface PublishRequest {
  readonly targetPath: string;
  /** Left out for an ephemeral volume, which is mounted at its target directly. */
  readonly stagingPath?: string;
  readonly isReadOnly: boolean;
  readonly mountFlags: readonly string[];
}

export interface VolumeUsage {
  readonly totalBytes: bigint;
  /** Left out for raw block volumes, of which only the size is known. */
  readonly files?: {
    readonly usedBytes: bigint;
    readonly availableBytes: bigint;
    readonly totalInodes: bigint;
    readonly usedInodes: bigint;
    readonly availableInodes: bigint;
  };
}

/** Brings volumes to where Pods see them. Every method may be repeated, also after a crash in the middle of it. */
export interface NodeMounts {
  stage(volume: NodeVolume, request: StageRequest): Promise<void>;
  unstage(contentPath: string | undefined, stagingPath: string): Promise<void>;
  publish(volume: NodeVolume, request: PublishRequest): Promise<void>;
  unpublish(contentPath: string | undefined, targetPath: string): Promise<void>;
  /** Every path at which the volume is mounted or bound, staging paths among them. */
  uses(contentPath: string): Promise<string[]>;
  isStagedAt(volume: NodeVolume, stagingPath: string): Promise<boolean>;
  /** What is wrong with those volumes that are mounted, by their ids. */
  ailments(volumes: readonly NodeVolume[]): Promise<ReadonlyMap<string, readonly Ailment[]>>;
  /** Whether the volume can be grown as it is now; if not, why and what to do. */
  growthObstacle(volume: NodeVolume): Promise<{ readonly complaint: string; readonly nextStep: string } | undefined>;
  /** Grows the file system to its device; answers the size of the device. */
  grow(volume: NodeVolume): Promise<bigint>;
  usage(volume: NodeVolume, path: string): Promise<VolumeUsage>;
  /** Holds writers still until the answer is called. */
  quiesce(contentPath: string): Promise<() => Promise<void>>;
  /** Lets writers go on that a crash left held. */
  thaw(contentPath: string): Promise<void>;
  /** Applies the volume's attributes, such as I/O limits, to where it is in use now. */
  applyAttributes(volume: NodeVolume): Promise<void>;
  /** After a crash: lets go of what no volume uses. */
  releaseUnused(contentsDirectory: string): Promise<void>;
}
