import { constants } from "node:os";
import { parseRequest } from "./cli/arguments.ts";
import { runRequest } from "./cli/commands.ts";
import { hasLabErrorCode, LabError } from "./errors.ts";
import { checkoutPaths } from "./paths.ts";
import { stderrProgress } from "./progress.ts";

const FAILED = 1;
const WRONG_USAGE = 2;

const cancellation = new AbortController();
let exitCodeOfCancellation = FAILED;

/** The first time everything that was started is stopped again; the second time means "now". */
function cancel(reason: string, exitCode: number): void {
  if (cancellation.signal.aborted) process.exit(exitCode);
  exitCodeOfCancellation = exitCode;
  stderrProgress.line(`${reason}: stopping`);
  cancellation.abort(new LabError("CANCELLED", reason));
}

function cancelOnSignals(): void {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => cancel(`received ${signal}`, 128 + constants.signals[signal]));
  }
  // Started through npm, this process has a channel to its parent, which closes however the parent went.
  process.on("disconnect", () => cancel("the process that started this one is gone", FAILED));
}

async function main(): Promise<number> {
  try {
    const surroundings = { workingFolder: process.env.INIT_CWD ?? process.cwd(), defaultDir: checkoutPaths.runFolder };
    const request = parseRequest(process.argv.slice(2), surroundings);
    cancelOnSignals();
    const print = (text: string) => void process.stdout.write(text);
    return await runRequest(request, { progress: stderrProgress, print, signal: cancellation.signal });
  } catch (error) {
    if (cancellation.signal.aborted) return exitCodeOfCancellation;
    if (!(error instanceof LabError)) throw error;
    stderrProgress.line(error.message);
    if (error.nextStep !== undefined) stderrProgress.line(`next: ${error.nextStep}`);
    return hasLabErrorCode(error, "USAGE") ? WRONG_USAGE : FAILED;
  }
}

process.exitCode = await main();
process.removeAllListeners("disconnect");
if (process.connected) process.disconnect();
