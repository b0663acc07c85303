import type { Command } from "../command.ts";
import { driverCommand } from "./driver.ts";
import { nodeSidecarCommands } from "./node-sidecar.ts";
import { sidecarCommands } from "./sidecar.ts";
import { sidecarsCommand } from "./sidecars.ts";
import { versionCommand } from "./version.ts";
import { watchCommand } from "./watch.ts";

/** Every subcommand, in the order of the help. */
export const commands: readonly Command[] = [
  versionCommand,
  watchCommand,
  driverCommand,
  sidecarsCommand,
  ...sidecarCommands,
  ...nodeSidecarCommands,
];
