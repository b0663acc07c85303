/** What the driver is asked to do, by name: the requests are in `local-driver-step.ts`. */
export type StepName =
  | "create"
  | "createSecond"
  | "delete"
  | "snapshot"
  | "deleteSnapshot"
  | "groupSnapshot"
  | "clone"
  | "restore"
  | "expand"
  | "nodeExpand"
  | "stage"
  | "publish"
  | "publishReadOnly"
  | "unpublish"
  | "unstage"
  | "publishEphemeral"
  | "unpublishEphemeral"
  | "write"
  | "nothing";

/** What a volume is: a file system in an image, the image as a raw device, or a directory. */
export type VolumeForm = "ext4" | "xfs" | "block" | "directory";

export interface Plan {
  readonly folder: string;
  readonly form: VolumeForm;
  /** Done first, undisturbed. */
  readonly before: readonly StepName[];
  readonly step: StepName;
  /** `from-start` counts the fault points of the driver's own start as well. */
  readonly armed: "at-step" | "from-start";
  /** The number of the fault point to die at; none when negative. */
  readonly killAt: number;
}

/** What can be seen of the driver from outside. */
export interface Report {
  readonly volumes: readonly string[];
  readonly snapshots: readonly string[];
  readonly files: readonly string[];
  readonly mounts: readonly string[];
  readonly loops: number;
  /** Of the staged volume, as far as it has been grown. */
  readonly fileSystemBytes: number;
  /** What the volume holds, if anything was written to it. */
  readonly marker: string;
}

export interface Outcome {
  /** The names of the fault points that were reached while armed, in order. */
  readonly points: readonly string[];
  /** Where they are in the driver's sources: `storage/loop-devices.ts:39`. */
  readonly places: readonly string[];
  readonly before: Report;
  readonly after: Report;
}
