import { defineCommand } from "../command.ts";
import { logOptions } from "../options/common-options.ts";
import type { OptionTable } from "../options/option-table.ts";

export const nodeOptions = {
  kubeconfig: { type: "string", placeholder: "FILE", help: "that `stowage identity node` has written for this name" },
  rootDir: {
    type: "string",
    placeholder: "FOLDER",
    help: "where this node alone keeps its Pods and volumes; ~/.stowage/nodes/NAME when left out",
  },
  address: {
    type: "string",
    default: "127.0.0.1",
    env: false,
    placeholder: "ADDRESS",
    help: "of the node and its Pods: one of this machine, and another one for each node, such as 127.0.0.2",
  },
  nodeLabels: { type: "string", placeholder: "NAME=VALUE,…", help: "labels of the Node" },
  endPods: {
    type: "boolean",
    env: false,
    help: "end what a node that was stopped has left running, with its mounts, and exit; what is on disk stays",
  },
  ...logOptions,
} as const satisfies OptionTable;

export const nodeCommand = defineCommand({
  name: "node",
  summary: "run a node of the embedded cluster in a process of its own",
  details:
    "For a cluster whose API server is `stowage apiserver`, with a kubeconfig that `stowage identity node NAME` has written. Serves logs and " +
    "commands to the API server alone, over TLS at its address and any free port. It may be killed at any time and started again: what " +
    "runs in its Pods runs on and is found again. Runs until it is stopped.",
  positional: [{ name: "name", help: "of the Node" }],
  options: nodeOptions,
  async run(context, options, [name = ""]) {
    const { runNodeProcess } = await import("./node-process.ts");
    return runNodeProcess(context, options, name);
  },
});
