import { withSourcePositions } from "./source-positions.ts";

// What nobody catches is shown by Node itself, which has the words of the stack by then.
process.on("uncaughtExceptionMonitor", (error: unknown) => {
  if (error instanceof Error && error.stack !== undefined) error.stack = withSourcePositions(error.stack);
});
