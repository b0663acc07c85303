import { exitCodes } from "./exit-codes.ts";

/**
 * Aborted at the first Ctrl-C or SIGTERM, so that everything stops in order, and when the process that started this one is
 * gone. A second Ctrl-C ends the process at once.
 */
export function processStopSignal(): AbortSignal {
  const controller = new AbortController();
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(name, () => {
      if (controller.signal.aborted && name === "SIGINT") process.exit(exitCodes.interrupted);
      controller.abort(new Error(`stopped by ${name}`));
    });
  }
  if (process.channel) {
    process.on("disconnect", () => controller.abort(new Error("the process that started this one is gone")));
    // The channel alone must not keep a finished command alive.
    process.channel.unref();
  }
  return controller.signal;
}
