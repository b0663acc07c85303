// The `stowage` command. It runs under Node 24; `bin/stowage.js` and the npm scripts see to that.
// First, since libraries look for it when they are loaded.
import "./native-base64.ts";
import { homedir } from "node:os";
import { commands } from "./commands/index.ts";
import { giveBackMemoryWhenIdle } from "./idle-memory.ts";
import { createLogger, logLevelOf } from "./logging.ts";
import { serviceLinks } from "./options/service-links.ts";
import { runProgram } from "./program.ts";
import { processStopSignal } from "./stop-signal.ts";
import { processTerminal } from "./terminal.ts";
import { loopbackVariable, onOwnLoopback } from "./up/own-loopback.ts";

giveBackMemoryWhenIdle();
for (const name of serviceLinks(process.env)) delete process.env[name];
const terminal = processTerminal();
const running = runProgram(
  {
    commands,
    terminal,
    contextFor(options) {
      const logger = createLogger(logLevelOf(options));
      return {
        terminal,
        logger,
        setLogLevel: (level) => void (logger.level = level),
        env: process.env,
        homeDir: homedir(),
        signal: processStopSignal(),
      };
    },
  },
  onOwnLoopback(process.argv.slice(2), process.env[loopbackVariable]),
);
// A command that waits for something which does not keep the process alive has not ended yet.
const staysAlive = setInterval(() => {}, 2 ** 30);
// Not awaited here: the bundle is CommonJS, which has no `await` outside of functions.
void running.then((exitCode) => {
  clearInterval(staysAlive);
  process.exitCode = exitCode;
});
