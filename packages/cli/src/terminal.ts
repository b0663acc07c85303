import type { Terminal } from "./command.ts";

/** Standard output and error. A reader that goes away (`| head`) ends the command quietly, as it does other programs. */
export function processTerminal(): Terminal {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(0);
    throw error;
  });
  return {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
  };
}
