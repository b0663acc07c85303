import { defineCommand } from "../command.ts";
import { logOptions, lookOptions } from "../options/common-options.ts";

export const traceCommand = defineCommand({
  name: "trace",
  summary: "show the life of a claim's volume as a time line: who did what when, and how long it took",
  details:
    "Puts together what the cluster still knows of it: the claim, its volume, attachments, Pods and snapshots with who wrote them, their " +
    "events, the calls to the driver with code and duration from the logs of driver and sidecars, and the calls that their metrics count. " +
    "Times in which nothing happened say for whom it was waited. Only reads; values of Secrets are never shown. As text, as JSON, or as one " +
    "HTML page with a chart. See the guide trace.md.",
  positional: [
    { name: "kind", help: "pvc", values: () => ["pvc"] },
    {
      name: "name",
      help: "of the claim; one that is gone has a time line for as long as the cluster keeps its events",
    },
  ],
  options: {
    namespace: {
      type: "string",
      short: "n",
      placeholder: "NAME",
      help: "of the claim; that of the kubeconfig's context when left out",
    },
    output: {
      type: "choice",
      short: "o",
      choices: ["text", "json", "html"],
      default: "text",
      help: "how to write the time line",
    },
    file: {
      type: "string",
      short: "f",
      placeholder: "FILE",
      env: "STOWAGE_TRACE_FILE",
      help: "where to write it, readable by its owner alone; standard output when left out",
    },
    ...lookOptions,
    ...logOptions,
  },
  async run(context, options, [kind = "", name = ""]) {
    const { runTrace } = await import("./trace-process.ts");
    return runTrace(context, { ...options, kind, name, isTerminal: process.stdout.isTTY });
  },
});
