import { defineCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { clusterSidecarOptions, driverSidecarOptions, sidecarLogOptions } from "../sidecars/common-options.ts";
import { combinableSidecars } from "../sidecars/flags/index.ts";
import { prefixedOptions } from "../sidecars/prefixed-options.ts";
import { listOf } from "./driver-options.ts";

const names = combinableSidecars.map(({ name }) => name);

export const sidecarsCommand = defineCommand({
  name: "sidecars",
  summary: "run several CSI sidecars in one process",
  details:
    "They share one copy of every resource, one connection to the driver and one election, and hold the leases of the originals, " +
    "so that those and these never act at once. A controller that the driver has no use for is switched off.",
  options: {
    controllers: {
      type: "string",
      placeholder: "LIST",
      default: names.slice(0, -1).join(","),
      help: `which: ${names.join(", ")}`,
    },
    ...driverSidecarOptions,
    ...clusterSidecarOptions,
    ...sidecarLogOptions,
    ...prefixedOptions(combinableSidecars),
  },
  async run(context, values) {
    const wanted = listOf(values.controllers);
    const unknown = wanted.find((name) => !names.includes(name));
    if (unknown !== undefined || wanted.length === 0) {
      const what = unknown === undefined ? "names none" : `has no ${JSON.stringify(unknown)}`;
      context.terminal.err(`stowage sidecars: --controllers ${what}; there are ${names.join(", ")}\n`);
      return exitCodes.usage;
    }
    const { runSeveralSidecars } = await import("../sidecars/sidecar-run.ts");
    // In the order of the table, whatever the order of the flag: all replicas take the leases alike.
    const chosen = combinableSidecars.filter(({ name }) => wanted.includes(name));
    return runSeveralSidecars(context, chosen, values);
  },
});
