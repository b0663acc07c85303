import type { Command } from "../command.ts";
import { apiserverCommand } from "./apiserver.ts";
import { completionCommand } from "./completion.ts";
import { controllersCommand } from "./controllers.ts";
import { destroyCommands } from "./destroy.ts";
import { driverCommand } from "./driver.ts";
import { driverOperatorCommand } from "./driver-operator.ts";
import { explainCommand } from "./explain.ts";
import { identityCommands } from "./identity.ts";
import { mustGatherCommand } from "./must-gather.ts";
import { nodeCommand } from "./node.ts";
import { nodeSidecarCommands } from "./node-sidecar.ts";
import { payloadCommand } from "./payload.ts";
import { rbacProxyCommand } from "./rbac-proxy.ts";
import { renderCommand } from "./render.ts";
import { sidecarCommands } from "./sidecar.ts";
import { sidecarsCommand } from "./sidecars.ts";
import { stateCommands } from "./state.ts";
import { statusCommand } from "./status.ts";
import { storageOperatorCommand } from "./storage-operator.ts";
import { traceCommand } from "./trace.ts";
import { uninstallCommand } from "./uninstall.ts";
import { upCommands } from "./up.ts";
import { versionCommand } from "./version.ts";
import { versionOperatorCommand } from "./version-operator.ts";
import { watchCommand } from "./watch.ts";

/** Every subcommand, in the order of the help. */
export const commands: readonly Command[] = [
  ...upCommands,
  statusCommand,
  explainCommand,
  traceCommand,
  versionCommand,
  watchCommand,
  driverCommand,
  sidecarsCommand,
  ...sidecarCommands,
  ...nodeSidecarCommands,
  storageOperatorCommand,
  versionOperatorCommand,
  payloadCommand,
  uninstallCommand,
  driverOperatorCommand,
  renderCommand,
  mustGatherCommand,
  ...destroyCommands,
  rbacProxyCommand,
  apiserverCommand,
  controllersCommand,
  nodeCommand,
  ...identityCommands,
  ...stateCommands,
  completionCommand(() => commands),
];
