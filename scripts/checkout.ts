import { spawn } from "node:child_process";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

/** The top folder of the project. */
export const checkout = dirname(dirname(fileURLToPath(import.meta.url)));

/** Runs a program of `node_modules/.bin` (the bootstrap puts it on the PATH) in the checkout, on this terminal. */
export async function runTool(command: string, commandArguments: readonly string[]): Promise<number> {
  const child = spawn(command, commandArguments, { cwd: checkout, stdio: "inherit" });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (code, signal) => resolve(signal === null ? (code ?? 1) : 1));
  });
}
