// The `stowage` command. It runs under Node 24; `bin/stowage.js` and the npm scripts see to that.
import { homedir } from "node:os";
import { commands } from "./commands/index.ts";
import { createLogger } from "./logging.ts";
import { runProgram } from "./program.ts";
import { processStopSignal } from "./stop-signal.ts";
import { processTerminal } from "./terminal.ts";

const terminal = processTerminal();
process.exitCode = await runProgram(
  {
    commands,
    terminal,
    contextFor: (options) => ({
      terminal,
      logger: createLogger(String(options.logLevel ?? "warn")),
      env: process.env,
      homeDir: homedir(),
      signal: processStopSignal(),
    }),
  },
  process.argv.slice(2),
);
