/** What a step was told by: a timestamp of an object, a field manager, a condition, an event, a call of the driver, a line of a log. */
export type StepKind = "created" | "deleted" | "write" | "condition" | "event" | "call" | "log" | "waiting";

/** Something that happened in the life of a volume. */
export interface Step {
  /** When it began. */
  readonly atMs: number;
  /** False: only the second is known, since Kubernetes writes no more of most times. */
  readonly isExact: boolean;
  readonly durationMs?: number;
  /** Who did it, or, of waiting, who was waited for. */
  readonly actor: string;
  /** Of a call, whose part it is to call. */
  readonly caller?: string;
  readonly kind: StepKind;
  /** `PersistentVolume pvc-3f0c…` */
  readonly object: string;
  readonly says: string;
  /** What the driver answered to a call: `OK`, `RESOURCE_EXHAUSTED`. */
  readonly code?: string;
  readonly isTrouble: boolean;
  /** Where it was read: `event`, `log of Pod storage/driver-x csi-driver`. */
  readonly source: string;
  /** What comes first where only the second is known; see `chain-order.ts`. */
  readonly rank: number;
}

/** All calls of a kind that a Pod has counted, for whatever volume. */
export interface CallTotal {
  readonly pod: string;
  readonly method: string;
  readonly code: string;
  readonly count: number;
  readonly seconds: number;
}

export interface Timeline {
  /** `PersistentVolumeClaim shop/data` */
  readonly subject: string;
  /** `Bound`; `gone` when only what others wrote of it is left. */
  readonly state: string;
  /** The claim's creation, or the first that is known of it. */
  readonly startedMs: number;
  readonly steps: readonly Step[];
  readonly totals: readonly CallTotal[];
  /** What would have told more and could not be read. */
  readonly unread: readonly string[];
}

export function endOf({ atMs, durationMs = 0 }: Step): number {
  return atMs + durationMs;
}
