import { join } from "node:path";
import { defineCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { logOptions } from "../options/common-options.ts";
import { stateOptions } from "./state-options.ts";

export const apiserverCommand = defineCommand({
  name: "apiserver",
  summary: "run a Kubernetes API server in this process alone",
  details:
    "Keeps everything in its data directory and says where the kubeconfig of its administrator is. What it has answered for is on disk: " +
    "it may be killed at any time and started again. Runs until it is stopped.",
  options: {
    ...stateOptions,
    listen: {
      type: "string",
      default: "127.0.0.1:6443",
      placeholder: "ADDRESS:PORT",
      help: "where to serve; any free port when it is 0",
    },
    anonymousAuth: { type: "boolean", default: true, help: "let in those who do not say who they are, as nobody" },
    ...logOptions,
  },
  async run(context, options) {
    const address = /^(?<host>[^:]+|\[[^\]]+\]):(?<port>\d{1,5})$/u.exec(options.listen)?.groups;
    const port = Number(address?.["port"]);
    if (address === undefined || port > 65_535) {
      context.terminal.err(`stowage apiserver: --listen takes ADDRESS:PORT, not ${JSON.stringify(options.listen)}\n`);
      return exitCodes.usage;
    }
    const { startApiServer } = await import("@stowage/embedded");
    const { homeDir, logger, terminal, signal } = context;
    const host = (address["host"] ?? "").replaceAll(/[[\]]/g, "");
    const { dataDir = join(homeDir, ".stowage"), anonymousAuth: allowsAnonymous } = options;
    await using server = await startApiServer({ dataDir, host, port, allowsAnonymous, logger });
    terminal.err(`serving at ${server.url} (Ctrl-C stops)\n`);
    terminal.out(`${server.kubeconfigPath}\n`);
    await stopped(signal);
    return exitCodes.success;
  },
});

function stopped(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
