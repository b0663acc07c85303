// An embedded cluster, in the folder, at the port and of as many nodes as its arguments say, until it is told to stop. What it warns of is in
// the file that STOWAGE_WARNINGS names, for whoever looks for a cause.
import { appendFileSync } from "node:fs";
import { startEmbeddedCluster } from "@stowage/embedded";
import { silentLogger } from "@stowage/machinery";

const [folder = "", port = "0", nodes = "1"] = process.argv.slice(2);
const warningsPath = process.env["STOWAGE_WARNINGS"];
const warn = (fields: object, message: string) => {
  if (warningsPath === undefined) return;
  const text = JSON.stringify({ message, ...fields }, (_key, value: unknown) =>
    value instanceof Error ? value.stack : value,
  );
  appendFileSync(warningsPath, `${new Date().toISOString()} ${text}\n`);
};
const logger = { ...silentLogger, warn, error: warn };
const cluster = await startEmbeddedCluster({ folder, port: Number(port), nodes: Number(nodes), logger });
process.once("SIGTERM", () => void cluster[Symbol.asyncDispose]());
