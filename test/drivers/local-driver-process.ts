// The local driver in a process of its own, for tests that kill it: `local-driver-process.ts FOLDER`. It loads its code and then
// waits for a line on standard input before it touches anything, so that the next process can be made ready while one still
// runs. It says `ready` when it can be called, and stops when standard input ends.
import { once } from "node:events";
import { flushCompileCache } from "node:module";
import { join } from "node:path";
import { serveDriver } from "@stowage/csi";
import { createLocalDriver } from "@stowage/drivers";
import { type Logger, silentLogger } from "@stowage/machinery";

const folder = process.argv[2] ?? "";
// A process that is killed would never write it.
flushCompileCache();
const stop = new AbortController();
process.stdin.once("end", () => stop.abort());
await Promise.race([once(process.stdin, "data"), once(stop.signal, "abort")]);
if (!stop.signal.aborted) {
  const logger: Logger = { ...silentLogger, error: (fields, message) => console.error(message, fields) };
  const kubeletDirs = [join(folder, "kubelet")];
  const driver = await createLocalDriver({ stateDir: join(folder, "state"), nodeId: "node-1", kubeletDirs, logger });
  const onListening = () => process.stdout.write("ready\n");
  await serveDriver(driver, { endpoint: `unix://${join(folder, "csi.sock")}`, logger, onListening }, stop.signal);
}
