import type { LogLevel } from "@stowage/machinery";
import { type LogLevelControl, logVerbosity } from "@stowage/operator";
import { logLevelOf } from "../logging.ts";

/** What `spec.operatorLogLevel` asks for, as the level of our own log. */
export function logLevelControl(setLogLevel: (level: string) => void): LogLevelControl {
  let current: LogLevel | undefined;
  return {
    get level() {
      return current;
    },
    setLevel(level) {
      current = level;
      setLogLevel(logLevelOf({ v: logVerbosity(level) }));
    },
  };
}
