import { type Logger, StowageError } from "@stowage/machinery";
import { destination, pino, stdSerializers } from "pino";
import { logOptions } from "./options/common-options.ts";
import { withSourcePositions } from "./source-positions.ts";

export interface AdjustableLogger extends Logger {
  level: string;
}

/** JSON lines on standard error, which is where people do not mind them. */
export function createLogger(level: string): AdjustableLogger {
  return pino(
    {
      level,
      base: undefined,
      serializers: { error: describeError },
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
    },
    destination({ fd: 2, sync: true }),
  );
}

/** From this `--v` on, Go programs log what a person looks for when something is wrong. */
const DETAILS_FROM = 4;

/** By `--log-level`, or, for components that run in a cluster, by `--v` as Go programs have it. */
export function logLevelOf({ logLevel, v }: { readonly logLevel?: unknown; readonly v?: unknown }): string {
  if (isOwnLevel(logLevel)) return logLevel;
  if (typeof v === "number") return v >= DETAILS_FROM ? "debug" : "info";
  return "warn";
}

/** A command may have a `--log-level` of another kind, which is not about its own log. */
function isOwnLevel(level: unknown): level is string {
  return (logOptions.logLevel.choices as readonly unknown[]).includes(level);
}

/** Of an error that was raised on purpose the words say enough; of any other the stack is wanted. */
function describeError(error: unknown): object {
  if (error instanceof StowageError) return { code: error.code, message: error.message, nextStep: error.nextStep };
  if (!(error instanceof Error)) return { message: String(error) };
  const { stack, ...described } = stdSerializers.err(error);
  return { ...described, stack: withSourcePositions(stack) };
}
