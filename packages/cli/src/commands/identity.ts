import { join } from "node:path";
import { systemClock } from "@stowage/machinery";
import { type Command, type CommandContext, defineCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { logOptions } from "../options/common-options.ts";
import type { OptionTable, OptionValues } from "../options/option-table.ts";
import { stateOptions } from "./state-options.ts";

const options = {
  ...stateOptions,
  server: {
    type: "string",
    env: false,
    placeholder: "URL",
    help: "of the API server; where it served last when left out",
  },
  file: {
    type: "string",
    env: false,
    placeholder: "FILE",
    help: "where to write it; in the data directory when left out",
  },
  ...logOptions,
} as const satisfies OptionTable;

const common =
  "The kubeconfig is signed by the cluster's own authority, good for a year and readable by its owner alone. The API server must have been " +
  "started once; it need not run.";

const controllersIdentity = defineCommand({
  name: "identity controllers",
  summary: "write a kubeconfig for `stowage controllers`",
  details: `${common} It has the contexts kube-controller-manager and kube-scheduler.`,
  options,
  run: (context, given) => issue(context, given, { kind: "controllers" }),
});

/** As names of Nodes are. It becomes a part of a file's name, too. */
const nodeName = /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/u;

const nodeIdentity = defineCommand({
  name: "identity node",
  summary: "write a kubeconfig for `stowage node`",
  details: `${common} Its certificate is also what the node shows to the API server, which asks it for logs and commands.`,
  positional: [{ name: "name", help: "of the Node" }],
  options,
  async run(context, given, [name = ""]) {
    if (!nodeName.test(name)) {
      context.terminal.err(`stowage identity node: a Node cannot be named ${JSON.stringify(name)}\n`);
      return exitCodes.usage;
    }
    return issue(context, given, { kind: "node", name });
  },
});

/** Who takes part in an embedded cluster of several processes. */
export const identityCommands: readonly Command[] = [controllersIdentity, nodeIdentity];

type Component = { readonly kind: "controllers" } | { readonly kind: "node"; readonly name: string };

async function issue(
  { homeDir, terminal }: CommandContext,
  { dataDir = join(homeDir, ".stowage"), server, file }: OptionValues<typeof options>,
  component: Component,
): Promise<number> {
  const { issueKubeconfig } = await import("@stowage/embedded");
  const name = component.kind === "node" ? `node-${component.name}` : "controllers";
  const path = file ?? join(dataDir, `${name}.kubeconfig`);
  issueKubeconfig({ dataDir, component, file: path, server, nowMs: systemClock.nowMs() });
  terminal.out(`${path}\n`);
  return exitCodes.success;
}
