import { defineCommand } from "../command.ts";
import { logOptions, lookOptions, outputOptions } from "../options/common-options.ts";

export const mustGatherCommand = defineCommand({
  name: "must-gather",
  summary: "write everything that says how storage is into a folder, without secrets",
  details:
    "Objects and logs of the whole chain, from the ClusterVersion to the drivers' Pods, with claims, volumes, snapshots and whoever " +
    "uses them, laid out as `oc adm must-gather` does it. Values of Secrets are never written, wherever they are found. What cannot be " +
    "had keeps nothing else from being gathered: `summary.txt` begins with what is missing and why, and the exit code is then 3.",
  positional: [{ name: "folder", help: "to be made, or empty" }],
  options: {
    namespace: {
      type: "list",
      short: "n",
      placeholder: "NAME",
      env: "STOWAGE_MUST_GATHER_NAMESPACE",
      help: "further namespaces, all of them; separated by commas, or given again",
    },
    since: {
      type: "duration",
      env: "STOWAGE_MUST_GATHER_SINCE",
      help: "logs and events of the last 2h, say; all of them when left out",
    },
    ...lookOptions,
    ...outputOptions,
    ...logOptions,
  },
  async run(context, options, [folder = ""]) {
    const { runMustGather } = await import("./must-gather-process.ts");
    return runMustGather(context, { ...options, folder, isInteractive: process.stderr.isTTY });
  },
});
