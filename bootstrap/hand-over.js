// Runs a source under Node 24 in place of this process. Where Node cannot replace itself, as before Node 24, it is as if it had:
// same terminal, same exit code, signals passed on.
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
    // Fixed: left alone the allocator raises them after the first large block, and keeps what is freed: 2 MB less. The first lower
    // than its default, so that what a burst of requests needed goes back afterwards: 14 MB less.
    MALLOC_MMAP_THRESHOLD_: "32768",
    MALLOC_TRIM_THRESHOLD_: "131072",
  };
  // Lets an idle process give memory back (packages/cli/src/idle-memory.ts).
  const nodeFlags = ["--expose-gc"];
  const env = { ...lean, ...process.env, PATH: path };
  if (canReplaceItself()) process.execve(node24, [node24, ...nodeFlags, file, ...sourceArguments], env);
  // The fourth channel tells the child that this process is gone, however it went.
  const child = spawn(node24, [...nodeFlags, file, ...sourceArguments], {
    stdio: ["inherit", "inherit", "inherit", "ipc"],
    env,
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

/** Not with a channel to a parent: its end of it would be left without anybody who reads it. */
function canReplaceItself() {
  return typeof process.execve === "function" && process.channel === undefined;
}
