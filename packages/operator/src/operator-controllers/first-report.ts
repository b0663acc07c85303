import type { Clock } from "@stowage/machinery";
import type { OperatorClient } from "../operator-client/index.ts";

export interface FirstReportDeps {
  readonly operator: Pick<OperatorClient, "current">;
  readonly clock: Clock;
  /** See `OperatorControllerDeps`. */
  readonly firstReportMs?: number;
}

/** On a new cluster objects come first, and then what is well. */
export interface FirstReport {
  /** How many milliseconds are left until it should be said that a condition is well; none when it was said of before. */
  waitMs(type: string): number;
}

/** Counts from the first time that it is asked. */
export function createFirstReport({ operator, clock, firstReportMs = 0 }: FirstReportDeps): FirstReport {
  let untilMs: number | undefined;
  return {
    waitMs(type) {
      untilMs ??= clock.monotonicMs() + firstReportMs;
      const isKnown = operator.current()?.status?.conditions?.some((condition) => condition.type === type);
      return isKnown ? 0 : Math.max(untilMs - clock.monotonicMs(), 0);
    },
  };
}
