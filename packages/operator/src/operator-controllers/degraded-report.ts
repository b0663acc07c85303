import type { Logger } from "@stowage/machinery";
import type { OperatorClient, OperatorEvents } from "../operator-client/index.ts";
import { failureText } from "./failure-text.ts";

export interface DegradedReportDeps {
  readonly operator: Pick<OperatorClient, "applyStatus" | "current">;
  readonly events: OperatorEvents;
  readonly logger: Logger;
}

/** Says of a controller whether its last sync failed, as `<Name>Degraded`. */
export interface DegradedReport {
  /** Of the condition. */
  readonly type: string;
  /** True of a controller that this process has said nothing of. */
  readonly isNew: boolean;
  failed(error: unknown, signal: AbortSignal): Promise<void>;
  succeeded(signal: AbortSignal): Promise<void>;
}

/** The condition and its field manager are named after the controller: renaming it leaves the old condition behind. */
export function createDegradedReport(
  { operator, events, logger }: DegradedReportDeps,
  { name, fieldManager = `${name}-reportDegraded` }: { readonly name: string; readonly fieldManager?: string },
): DegradedReport {
  const type = `${name}Degraded`;
  let lastTold: string | undefined;
  let isNew = true;
  return {
    type,
    get isNew() {
      return isNew;
    },
    async failed(error, signal) {
      isNew = false;
      const message = failureText(error);
      // The same failure at every attempt is told once; the condition says that it goes on.
      if (message !== lastTold) events.warning("SyncError", `${name}: ${message}`);
      lastTold = message;
      if (operator.current() === undefined) return;
      const condition = { type, status: "True", reason: "SyncError", message } as const;
      try {
        await operator.applyStatus(fieldManager, { conditions: [condition] }, signal);
      } catch (reportError) {
        // The failure itself must not be hidden by this one.
        logger.warn({ controller: name, error: reportError }, "the condition could not be written");
      }
    },
    async succeeded(signal) {
      isNew = false;
      lastTold = undefined;
      if (operator.current() === undefined) return;
      const condition = { type, status: "False", reason: "AsExpected" } as const;
      await operator.applyStatus(fieldManager, { conditions: [condition] }, signal);
    },
  };
}
