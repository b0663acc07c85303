import type { OptionTable } from "../options/option-table.ts";

/** How the logs of a Go program are written, and on how many cores. Taken, so that a Deployment that says so works as it is. */
export const originalLogOptions = {
  loggingFormat: { type: "choice", choices: ["text", "json"], help: "taken and ignored: logs are JSON lines" },
  logFlushFrequency: { type: "duration", help: "taken and ignored: every line is written at once" },
  vmodule: { type: "string", placeholder: "FILE=N,…", help: "taken and ignored: the sources have other files" },
  logTextSplitStream: { type: "boolean", help: "taken and ignored: logs go to standard error" },
  logTextInfoBufferSize: { type: "string", placeholder: "QUANTITY", help: "taken and ignored: there is no buffer" },
  logJsonSplitStream: { type: "boolean", help: "taken and ignored: logs go to standard error" },
  logJsonInfoBufferSize: { type: "string", placeholder: "QUANTITY", help: "taken and ignored: there is no buffer" },
  automaxprocs: { type: "boolean", help: "taken and ignored: there is one thread" },
} as const satisfies OptionTable;
