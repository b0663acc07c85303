import { defineCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { logOptions } from "../options/common-options.ts";
import {
  abilityNames,
  type DriverOptions,
  driverKinds,
  driverOptions,
  isDriverKind,
  listOf,
} from "./driver-options.ts";

export const driverCommand = defineCommand({
  name: "driver",
  summary: "run a CSI driver",
  details:
    "`local` keeps volumes on this machine's disk. `mock` keeps them nowhere: it stands in for any other driver, records every " +
    "call, and goes wrong when it is told to at its control endpoint. Runs until it is stopped.",
  positional: [{ name: "kind", help: driverKinds.join(" or "), values: () => driverKinds }],
  options: { ...driverOptions, ...logOptions },
  async run(context, options, [kind = ""]) {
    const { endpoint = "", nodeId = "" } = options;
    const problem = problemOf(kind, options);
    if (problem !== undefined || !isDriverKind(kind)) {
      context.terminal.err(`stowage driver: ${problem}\n`);
      return exitCodes.usage;
    }
    // Only here, since gRPC takes longer to load than most other commands take to run.
    const { runDriver } = await import("./driver-process.ts");
    await runDriver(context, kind, { ...options, endpoint, nodeId });
    return exitCodes.success;
  },
});

function problemOf(kind: string, options: DriverOptions): string | undefined {
  if (!isDriverKind(kind)) return `there is no driver ${JSON.stringify(kind)}; there is ${driverKinds.join(" and ")}`;
  if (options.endpoint === undefined) return "--endpoint says where to listen, such as unix:///run/csi/socket";
  if (options.nodeId === undefined) return "--node-id says what this node is called";
  if (kind === "local" && options.stateDir === undefined) return "--state-dir says where the volumes are kept";
  const services = listOf(options.services);
  if (services.length === 0 || services.some((name) => name !== "controller" && name !== "node"))
    return `--services takes controller, node or both, not ${JSON.stringify(options.services)}`;
  const unknown = listOf(options.abilities).find((name) => !(abilityNames as readonly string[]).includes(name));
  if (unknown !== undefined) return `--abilities takes ${abilityNames.join(", ")}, not ${JSON.stringify(unknown)}`;
  const broken = [options.topology, options.extraLabels].flatMap((text = "") => listOf(text)).find(isNoPair);
  return broken === undefined ? undefined : `${JSON.stringify(broken)} is not of the form KEY=VALUE`;
}

function isNoPair(text: string): boolean {
  return !/^[^=]+=/.test(text);
}
