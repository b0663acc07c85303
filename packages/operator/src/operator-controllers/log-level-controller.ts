import type { LogLevel } from "@stowage/machinery";
import { isLogLevel } from "../operator-client/index.ts";
import { type OperatorController, type OperatorControllerDeps, operatorController } from "./operator-controller.ts";

/** The seam to the log of the running process. */
export interface LogLevelControl {
  /** Undefined until it was set for the first time. */
  readonly level: LogLevel | undefined;
  setLevel(level: LogLevel): void;
}

/**
 * Makes the running process log as much as `spec.operatorLogLevel` says.
 * Watches: the operator's resource. Writes conditions: none; what fails is told as an event.
 */
export function logLevelController(
  deps: OperatorControllerDeps,
  { control, defaultLevel = "Normal" }: { readonly control: LogLevelControl; readonly defaultLevel?: LogLevel },
): OperatorController {
  return operatorController(deps, {
    name: "LoggingSyncer",
    reportsDegraded: false,
    ignoresManagementState: true,
    async sync({ operator }) {
      const asked = operator.spec?.operatorLogLevel ?? "";
      if (!isLogLevel(asked)) {
        const message = `Invalid logLevel "${asked as string}", falling back to "${defaultLevel}"`;
        deps.events.warning("OperatorLogLevelInvalid", message);
      }
      changeLevel(deps, control, isLogLevel(asked) && asked !== "" ? asked : defaultLevel);
    },
  });
}

function changeLevel({ events }: OperatorControllerDeps, control: LogLevelControl, wanted: LogLevel): void {
  const { level } = control;
  if (level === wanted) return;
  try {
    control.setLevel(wanted);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const message = `Unable to change operator log level from "${level}" to "${wanted}": ${why}`;
    events.warning("OperatorLogLevelChangeFailed", message);
    throw error;
  }
  // A start is no change.
  if (level === undefined) return;
  events.normal("OperatorLogLevelChange", `Operator log level changed from "${level}" to "${wanted}"`);
}
