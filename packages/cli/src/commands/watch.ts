import { defineCommand } from "../command.ts";
import { logOptions, lookOptions, outputOptions } from "../options/common-options.ts";

export const watchCommand = defineCommand({
  name: "watch",
  summary: "follow the objects of a resource and print every change",
  details:
    "Follows the server through broken connections and restarts until it is stopped, with the same informers that Stowage's " +
    "controllers use: what it prints is what they see.",
  positional: [
    { name: "resource", help: "plural, singular or short name, with .group if need be: pvc, deployments.apps" },
  ],
  options: {
    namespace: { type: "string", short: "n", placeholder: "NAME", help: "one namespace; all of them when left out" },
    selector: { type: "string", short: "l", placeholder: "SELECTOR", help: "label selector" },
    fieldSelector: { type: "string", placeholder: "SELECTOR", help: "field selector" },
    metadataOnly: { type: "boolean", help: "fetch metadata alone" },
    initialOnly: { type: "boolean", help: "stop when the initial list is complete" },
    syncTimeoutSeconds: { type: "int", default: 60, minimum: 1, help: "how long to wait for the initial list" },
    ...lookOptions,
    ...outputOptions,
    ...logOptions,
  },
  async run(context, options, [resource = ""]) {
    // The client comes with the commands that need it: a driver's process has no use for it.
    const { runWatch } = await import("./watch-process.ts");
    return runWatch(context, { ...options, resource });
  },
});
