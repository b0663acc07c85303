import { defineCommand } from "../command.ts";
import { logOptions, lookOptions, outputOptions } from "../options/common-options.ts";

export const statusCommand = defineCommand({
  name: "status",
  summary: "show how storage is, from the cluster's version down to the driver's Pod on each node",
  details:
    "One line for each link of the chain, with its conditions and version, and one below it that says what is not well. Links that the " +
    "cluster does not have, such as a ClusterVersion, are left out. Only reads. The exit code is 0 when nothing is wrong, and 3 when " +
    "something is.",
  options: {
    watch: { type: "boolean", short: "w", help: "show it anew whenever it changes, until stopped" },
    interval: {
      type: "duration",
      default: "2s",
      env: "STOWAGE_STATUS_INTERVAL",
      help: "between two looks with --watch",
    },
    ...lookOptions,
    ...outputOptions,
    ...logOptions,
  },
  async run(context, options) {
    const { runStatus } = await import("./status-process.ts");
    return runStatus(context, { ...options, isTerminal: process.stdout.isTTY });
  },
});
