import type { OptionTable } from "./option-table.ts";

/** Of every command. */
export const logOptions = {
  logLevel: {
    type: "choice",
    choices: ["debug", "info", "warn", "error", "silent"],
    default: "warn",
    help: "how much to log to standard error, as JSON lines",
  },
} as const satisfies OptionTable;

/** Of every command that talks to a cluster. */
export const clusterOptions = {
  kubeconfig: {
    type: "string",
    placeholder: "FILE",
    // KUBECONFIG itself may be a list of files and is read where kubeconfigs are.
    help: "kubeconfig to use; else KUBECONFIG, ~/.kube/config, or the Pod's service account",
  },
  context: { type: "string", placeholder: "NAME", help: "context of the kubeconfig to use" },
} as const satisfies OptionTable;

/** Of commands that only look. */
export const lookOptions = {
  ...clusterOptions,
  kubeconfig: {
    ...clusterOptions.kubeconfig,
    help: "kubeconfig to use; else KUBECONFIG, ~/.kube/config, the Pod's service account, or the cluster of `stowage up`",
  },
} as const satisfies OptionTable;

/** Of components whose originals are asked so. */
export const versionOptions = {
  // Images are fond of a variable that has their version: it must not be taken for this.
  version: { type: "boolean", env: false, help: "print the version and exit" },
} as const satisfies OptionTable;

export const outputOptions = {
  output: { type: "choice", short: "o", choices: ["text", "json"], default: "text", help: "how to print the result" },
} as const satisfies OptionTable;
