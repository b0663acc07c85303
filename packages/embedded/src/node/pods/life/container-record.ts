/** How a start of a container ended. */
export interface RecordedExit {
  readonly exitCode: number;
  readonly finishedMs: number;
}

/** What the probes say of a container. */
export interface ContainerHealth {
  readonly isReady: boolean;
  /** Its startup probe has succeeded, or it has none. */
  readonly hasComeUp: boolean;
  /** A probe says that it must be started anew. */
  readonly isFailing?: "liveness" | "startup";
}

/** What the node knows of a container of a Pod. */
export interface ContainerRecord extends Omit<ContainerHealth, "isReady"> {
  /** Of its latest start; undefined when there was none. */
  readonly startedMs?: number;
  /** Of the latest start; undefined while it runs. */
  readonly exit?: RecordedExit;
  /** Its Pod says something else of it than when it was started. */
  readonly isChanged?: boolean;
}

export type ContainerRecords = ReadonlyMap<string, ContainerRecord>;

export function isRunning(record: ContainerRecord | undefined): boolean {
  return record?.startedMs !== undefined && record.exit === undefined;
}
