import type { Command } from "../command.ts";
import { driverCommand } from "./driver.ts";
import { driverOperatorCommand } from "./driver-operator.ts";
import { nodeSidecarCommands } from "./node-sidecar.ts";
import { rbacProxyCommand } from "./rbac-proxy.ts";
import { renderCommand } from "./render.ts";
import { sidecarCommands } from "./sidecar.ts";
import { sidecarsCommand } from "./sidecars.ts";
import { storageOperatorCommand } from "./storage-operator.ts";
import { versionCommand } from "./version.ts";
import { versionOperatorCommand } from "./version-operator.ts";
import { watchCommand } from "./watch.ts";

/** Every subcommand, in the order of the help. */
export const commands: readonly Command[] = [
  versionCommand,
  watchCommand,
  driverCommand,
  sidecarsCommand,
  ...sidecarCommands,
  ...nodeSidecarCommands,
  storageOperatorCommand,
  versionOperatorCommand,
  driverOperatorCommand,
  renderCommand,
  rbacProxyCommand,
];
