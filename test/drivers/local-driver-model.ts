import type { GrpcFailureCode } from "@stowage/csi";

export type VolumeName = "data" | "copy";
export type SnapshotName = "first" | "second";
export type TargetName = "left" | "right";
export type FileName = "a" | "b" | "c";
/** Sizes are steps, small to large: what a step is depends on the kind of the volume. */
export type SizeStep = 0 | 1 | 2;

export interface SizeRange {
  readonly size: SizeStep;
  readonly limit?: SizeStep;
}

/** What one of the eight users may ask for next. Every operation makes sense at any time: the model says what is answered. */
export type Operation =
  | { kind: "create"; volume: VolumeName; range: SizeRange; from?: VolumeName | SnapshotName }
  | { kind: "delete" | "stage" | "unstage" | "get"; volume: VolumeName }
  | { kind: "expand"; volume: VolumeName; range: SizeRange }
  | { kind: "snapshot"; volume: VolumeName; snapshot: SnapshotName }
  | { kind: "deleteSnapshot"; snapshot: SnapshotName }
  | { kind: "publish"; volume: VolumeName; target: TargetName; isReadOnly: boolean }
  | { kind: "unpublish" | "stats" | "nodeExpand"; volume: VolumeName; target: TargetName }
  | { kind: "write"; volume: VolumeName; target: TargetName; file: FileName; fill: number };

/** `OK`, what the driver refuses with, or how the kernel refuses a write. */
export type Answer = "OK" | GrpcFailureCode | "ENOENT" | "EROFS";

export interface ModelTraits {
  readonly isBlock: boolean;
  /** Whether a volume can be grown where it is mounted. */
  readonly growsMounted: boolean;
  /** Whether staging grows the file system even when it is mounted elsewhere. */
  readonly growsWhenStaged: boolean;
}

export interface ModelVolume {
  size: SizeStep;
  readonly from?: VolumeName | SnapshotName;
  /** The fill byte of each file. */
  readonly files: Map<FileName, number>;
  isStaged: boolean;
  /** Of raw devices, which show in no mount table while they are only staged. */
  isAttached: boolean;
  /** The size that the file system was last brought to. */
  fileSystemSize: SizeStep;
  readonly targets: Map<TargetName, { isReadOnly: boolean }>;
}

interface ModelSnapshot {
  readonly volume: VolumeName;
  readonly size: SizeStep;
  readonly files: ReadonlyMap<FileName, number>;
}

/** What must be true of the volumes of one user. `apply` says what is answered, and changes what then is true. */
export class Model {
  readonly volumes = new Map<VolumeName, ModelVolume>();
  readonly snapshots = new Map<SnapshotName, ModelSnapshot>();
  readonly #traits: ModelTraits;

  constructor(traits: ModelTraits) {
    this.#traits = traits;
  }

  apply(operation: Operation): Answer {
    if (operation.kind === "create") return this.#create(operation);
    if (operation.kind === "snapshot") return this.#snapshot(operation);
    if (operation.kind !== "deleteSnapshot") return this.#ofVolume(operation, this.volumes.get(operation.volume));
    this.snapshots.delete(operation.snapshot);
    return "OK";
  }

  /** A volume is grown through a writable mount. Kubelet always has one, since it stages first; without, it is only looked at. */
  possible(operation: Operation): Operation {
    if (operation.kind !== "nodeExpand") return operation;
    const volume = this.volumes.get(operation.volume);
    const isReadOnly = volume && !volume.isStaged && volume.targets.values().every((target) => target.isReadOnly);
    return isReadOnly && volume.targets.size > 0 ? { kind: "get", volume: operation.volume } : operation;
  }

  isInUse({ isStaged, targets }: ModelVolume): boolean {
    return targets.size > 0 || (isStaged && !this.#traits.isBlock);
  }

  #create(operation: Extract<Operation, { kind: "create" }>): Answer {
    const { volume, from } = operation;
    const { size, limit } = operation.range;
    const existing = this.volumes.get(volume);
    if (existing) {
      const fits = existing.size >= size && (limit === undefined || existing.size <= limit);
      return fits && existing.from === from ? "OK" : "ALREADY_EXISTS";
    }
    const source = from && this.#source(from);
    if (from !== undefined && !source) return "NOT_FOUND";
    if (source && size < source.size) return "OUT_OF_RANGE";
    this.volumes.set(volume, {
      size,
      from,
      files: new Map(source?.files),
      isStaged: false,
      isAttached: false,
      fileSystemSize: size,
      targets: new Map(),
    });
    return "OK";
  }

  #source(name: VolumeName | SnapshotName) {
    return name === "data" || name === "copy" ? this.volumes.get(name) : this.snapshots.get(name);
  }

  #snapshot({ volume, snapshot }: Extract<Operation, { kind: "snapshot" }>): Answer {
    const existing = this.snapshots.get(snapshot);
    if (existing) return existing.volume === volume ? "OK" : "ALREADY_EXISTS";
    const source = this.volumes.get(volume);
    if (!source) return "NOT_FOUND";
    this.snapshots.set(snapshot, { volume, size: source.size, files: new Map(source.files) });
    return "OK";
  }

  #ofVolume(operation: Exclude<Operation, { kind: "create" | "snapshot" | "deleteSnapshot" }>, volume?: ModelVolume) {
    if (!volume) return answerWithoutVolume(operation.kind);
    switch (operation.kind) {
      case "delete":
        if (this.isInUse(volume)) return "FAILED_PRECONDITION";
        this.volumes.delete(operation.volume);
        return "OK";
      case "expand":
        return this.#expand(volume, operation.range);
      case "stage":
        return this.#stage(volume);
      case "unstage":
        volume.isStaged = false;
        volume.isAttached = volume.targets.size > 0;
        return "OK";
      case "publish":
        return this.#publish(volume, operation);
      case "unpublish":
        volume.targets.delete(operation.target);
        // A raw device is let go of with its last target, and taken again for the next.
        if (volume.targets.size === 0) volume.isAttached = false;
        return "OK";
      case "stats":
        return volume.targets.has(operation.target) ? "OK" : "NOT_FOUND";
      case "nodeExpand":
        if (!volume.targets.has(operation.target)) return "NOT_FOUND";
        volume.fileSystemSize = volume.size;
        return "OK";
      case "write":
        return write(volume, operation);
      case "get":
        return "OK";
    }
  }

  #expand(volume: ModelVolume, { size, limit }: SizeRange): Answer {
    if (size <= volume.size) return limit !== undefined && volume.size > limit ? "OUT_OF_RANGE" : "OK";
    if (this.isInUse(volume) && !this.#traits.growsMounted) return "FAILED_PRECONDITION";
    volume.size = size;
    return "OK";
  }

  #stage(volume: ModelVolume): Answer {
    const isGrown = this.#traits.growsWhenStaged || !this.isInUse(volume);
    if (isGrown) volume.fileSystemSize = volume.size;
    volume.isStaged = true;
    volume.isAttached = true;
    return "OK";
  }

  #publish(volume: ModelVolume, { target, isReadOnly }: Extract<Operation, { kind: "publish" }>): Answer {
    if (!volume.isStaged && !this.#traits.isBlock) return "FAILED_PRECONDITION";
    // The other way round it becomes read-only: that is how a crash in the middle of a read-only publish is made up for.
    if (volume.targets.get(target)?.isReadOnly && !isReadOnly) return "ALREADY_EXISTS";
    volume.targets.set(target, { isReadOnly });
    // A raw device that is attached anew is as large as its image.
    if (!volume.isAttached) volume.fileSystemSize = volume.size;
    volume.isAttached = true;
    return "OK";
  }
}

function answerWithoutVolume(kind: Operation["kind"]): Answer {
  if (kind === "delete" || kind === "unstage" || kind === "unpublish") return "OK";
  return kind === "write" ? "ENOENT" : "NOT_FOUND";
}

function write(volume: ModelVolume, { target, file, fill }: Extract<Operation, { kind: "write" }>): Answer {
  const published = volume.targets.get(target);
  if (!published) return "ENOENT";
  if (published.isReadOnly) return "EROFS";
  volume.files.set(file, fill);
  return "OK";
}
