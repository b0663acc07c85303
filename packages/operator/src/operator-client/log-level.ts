import type { LogLevel } from "@stowage/machinery";

/** What programs of Kubernetes take as `-v`. */
const verbosities: ReadonlyMap<string, number> = new Map([
  ["Normal", 2],
  ["Debug", 4],
  ["Trace", 6],
  ["TraceAll", 8],
]);

/** For `${LOG_LEVEL}`; anything unknown is as good as `Normal`. */
export function logVerbosity(level: string | undefined): number {
  return verbosities.get(level ?? "") ?? 2;
}

/** Empty is allowed, and means the default. */
export function isLogLevel(level: string): level is LogLevel {
  return level === "" || verbosities.has(level);
}
