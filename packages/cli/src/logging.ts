import { type Logger, StowageError } from "@stowage/machinery";
import { destination, pino, stdSerializers } from "pino";

/** JSON lines on standard error, which is where people do not mind them. */
export function createLogger(level: string): Logger {
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

/** Of an error that was raised on purpose the words say enough; of any other the stack is wanted. */
function describeError(error: unknown): object {
  if (error instanceof StowageError) return { code: error.code, message: error.message, nextStep: error.nextStep };
  return error instanceof Error ? stdSerializers.err(error) : { message: String(error) };
}
