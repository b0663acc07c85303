import { join } from "node:path";
import { endRemains, endUserNamespace, runNodeMember } from "@stowage/embedded";
import { loadKubeconfig } from "@stowage/kube";
import { systemClock } from "@stowage/machinery";
import type { CommandContext } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import type { OptionValues } from "../options/option-table.ts";
import { ownImage } from "../up/own-image.ts";
import { ownProgram } from "../up/own-program.ts";
import { enterOwnNamespace } from "../up/up-cluster.ts";
import { mapOf } from "./driver-options.ts";
import type { nodeOptions } from "./node.ts";

/** What a container has to end by itself when all of them are ended. */
const GRACE_MS = 5_000;

export async function runNodeProcess(
  context: CommandContext,
  options: OptionValues<typeof nodeOptions>,
  name: string,
): Promise<number> {
  const { env, homeDir, logger, signal, terminal } = context;
  const { rootDir: folder = join(homeDir, ".stowage", "nodes", name), address, kubeconfig: path, nodeLabels } = options;
  if (options.endPods) {
    await endRemains({ folder, clock: systemClock, graceMs: GRACE_MS });
    await endUserNamespace(folder);
    return exitCodes.success;
  }
  await enterOwnNamespace(folder);
  const connection = await loadKubeconfig({ path, env, homeDir });
  const image = ownImage(ownProgram(folder, env));
  const member = { name, connection, folder, address, labels: mapOf(nodeLabels), clock: systemClock, logger };
  await runNodeMember(
    {
      ...member,
      image: (container, podIPs) => image(container, podIPs, name),
      onServing: (port) => terminal.err(`node ${name} serves at https://${address}:${port} (Ctrl-C stops)\n`),
    },
    signal,
  );
  return exitCodes.success;
}
