// Runs a source under Node 24 as if this process had become it: same terminal, same exit code, signals passed on. It must
// keep working on Node 18, where a process cannot replace itself.
import { spawn } from "node:child_process";
import { constants } from "node:os";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import { checkout } from "./setup.js";

/** `source` is a path, relative to the checkout or absolute, followed by its arguments. Never returns: the process exits. */
export async function runUnderNode24(node24, [source, ...sourceArguments]) {
  const file = isAbsolute(source) ? source : join(checkout, source);
  const path = [dirname(node24), join(checkout, "node_modules", ".bin"), process.env.PATH ?? ""].join(delimiter);
  const lean = {
    // Keeps the sources with their types stripped: a start is quicker by half and needs 30 MB less.
    NODE_COMPILE_CACHE: join(checkout, ".cache", "compile"),
    // The allocator would keep a pool for each thread, most of it unused: 2 MB less.
    MALLOC_ARENA_MAX: "2",
  };
  // The fourth channel tells the child that this process is gone, however it went.
  const child = spawn(node24, [file, ...sourceArguments], {
    stdio: ["inherit", "inherit", "inherit", "ipc"],
    env: { ...lean, ...process.env, PATH: path },
  });
  for (const signal of ["SIGTERM", "SIGHUP", "SIGINT"]) {
    process.on(signal, () => {
      // A Ctrl-C at a terminal reaches the child by itself; a second one would mean "stop at once".
      if (signal === "SIGINT" && process.stdin.isTTY) return;
      child.kill(signal);
    });
  }
  const [code, signal] = await new Promise((resolve, reject) => {
    child.on("error", (error) => reject(new Error(`${node24} could not be started: ${error.message}`)));
    child.on("exit", (...how) => resolve(how));
  });
  process.exit(signal === null ? code : 128 + constants.signals[signal]);
}
