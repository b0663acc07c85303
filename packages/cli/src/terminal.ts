import type { Terminal } from "./command.ts";

/**
 * Standard output and error. A reader that goes away (`| head`) ends the command quietly, as it does other programs; one that has begun stops
 * in order, as it does when it is told to.
 */
export function processTerminal(): Terminal {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
      if (!process.emit("SIGTERM", "SIGTERM")) process.exit(0);
    });
  }
  return {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
  };
}
