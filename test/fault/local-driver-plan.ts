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
  | "stage"
  | "publish"
  | "publishReadOnly"
  | "unpublish"
  | "unstage"
  | "publishEphemeral"
  | "unpublishEphemeral"
  | "write"
  | "nothing";

export interface Plan {
  readonly folder: string;
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
  /** What the staged volume holds, if anything was written to it. */
  readonly marker: string;
}

export interface Outcome {
  readonly points: readonly string[];
  readonly before: Report;
  readonly after: Report;
}
