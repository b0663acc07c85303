import { readFile } from "node:fs/promises";
import { systemClock } from "@stowage/machinery";
import { defineCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { logOptions } from "../options/common-options.ts";

export const controllersCommand = defineCommand({
  name: "controllers",
  summary: "run the embedded cluster's controllers and scheduler in a process of their own",
  details:
    "For a cluster whose API server is `stowage apiserver`, with a kubeconfig that `stowage identity controllers` has written: it has the " +
    "contexts kube-controller-manager and kube-scheduler. All that they know is in the API server: they may be killed at any time and " +
    "started again. Runs until it is stopped.",
  options: {
    kubeconfig: { type: "string", placeholder: "FILE", help: "that `stowage identity controllers` has written" },
    serviceAccountPrivateKeyFile: {
      type: "string",
      placeholder: "FILE",
      help:
        "signs the tokens of service accounts that are kept in Secrets: `pki/service-account.key` of the API server's data " +
        "directory; those Secrets stay empty when left out",
    },
    ...logOptions,
  },
  async run(context, { kubeconfig: path, serviceAccountPrivateKeyFile: keyFile }) {
    const [{ loadKubeconfig }, { runControllersMember }] = await Promise.all([
      import("@stowage/kube"),
      import("@stowage/embedded"),
    ]);
    const { env, homeDir, logger, signal, terminal } = context;
    const connectionAs = (name: string) => loadKubeconfig({ path, context: name, env, homeDir });
    const manager = await connectionAs("kube-controller-manager");
    const scheduler = await connectionAs("kube-scheduler");
    const accountTokenKey = keyFile === undefined ? undefined : await readFile(keyFile, "utf8");
    terminal.err(`controllers and scheduler of ${manager.server} run (Ctrl-C stops)\n`);
    await runControllersMember({ manager, scheduler, accountTokenKey, clock: systemClock, logger }, signal);
    return exitCodes.success;
  },
});
