import { defineCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { clusterOptions, logOptions, outputOptions } from "../options/common-options.ts";
import { versionText } from "../version-text.ts";

export const versionCommand = defineCommand({
  name: "version",
  summary: "print the version of Stowage and of the cluster's API server",
  options: {
    client: { type: "boolean", help: "print Stowage's own version and ask no server" },
    ...clusterOptions,
    ...outputOptions,
    ...logOptions,
  },
  async run(context, options) {
    const own = { version: versionText(), node: process.version };
    if (options.client) {
      print({ stowage: own });
      return exitCodes.success;
    }
    const [{ serverVersion }, { connectToCluster }] = await Promise.all([
      import("@stowage/kube"),
      import("../compose.ts"),
    ]);
    using cluster = await connectToCluster(context, options);
    const { gitVersion, platform } = await serverVersion(cluster.client);
    print({ stowage: own, server: { address: cluster.client.server, version: gitVersion, platform } });
    return exitCodes.success;

    function print(versions: {
      stowage: typeof own;
      server?: { address: string; version: string; platform?: string };
    }) {
      if (options.output === "json") return context.terminal.out(`${JSON.stringify(versions, null, 2)}\n`);
      context.terminal.out(`Stowage: ${versions.stowage.version} (Node ${versions.stowage.node})\n`);
      if (versions.server === undefined) return;
      context.terminal.out(`Server:  ${versions.server.version} at ${versions.server.address}\n`);
    }
  },
});
