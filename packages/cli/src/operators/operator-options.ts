import { clusterOptions } from "../options/common-options.ts";
import type { OptionTable, OptionValues } from "../options/option-table.ts";

/** Of every operator. The times of the election are those that OpenShift gives to its operators: they outlast a restart of the API server. */
export const operatorOptions = {
  ...clusterOptions,
  namespace: {
    type: "string",
    short: "n",
    placeholder: "NAME",
    help: "namespace of the operator itself, its lease and its events; else POD_NAMESPACE, or the usual one",
  },
  listen: {
    type: "string",
    placeholder: "ADDRESS:PORT",
    help: "where to serve /metrics, /healthz and /readyz; nowhere when left out",
  },
  leaderElection: { type: "boolean", default: true, help: "act only while holding the lease" },
  leaderElectionLeaseDuration: { type: "duration", default: "137s", help: "how long a lease lasts unrenewed" },
  leaderElectionRenewDeadline: { type: "duration", default: "107s", help: "how long the leader tries to renew" },
  leaderElectionRetryPeriod: { type: "duration", default: "26s", help: "between two tries" },
  v: { type: "int", default: 2, minimum: 0, help: "how much to log until the operator's resource says otherwise" },
} as const satisfies OptionTable;

/** Of operators that can look after a cluster from beside its hosted control plane. */
export const hostedOperatorOptions = {
  ...operatorOptions,
  guestKubeconfig: {
    type: "string",
    placeholder: "FILE",
    help: "of the cluster to look after, where its control plane is Pods of the one that --kubeconfig names (HyperShift)",
  },
} as const satisfies OptionTable;

export type OperatorOptions = OptionValues<typeof operatorOptions> & { readonly guestKubeconfig?: string | undefined };
