import { versionOptions } from "../options/common-options.ts";
import type { OptionTable, OptionValues } from "../options/option-table.ts";
import { originalLogOptions } from "./original-log-options.ts";

/** Of every sidecar that talks to the cluster, with the names and defaults of the originals. */
export const clusterSidecarOptions = {
  kubeconfig: {
    type: "string",
    placeholder: "FILE",
    help: "kubeconfig to use; in a Pod, its service account when left out",
  },
  kubeApiQps: {
    type: "number",
    minimum: 0.1,
    help: "requests a second to the API server; when left out, as many as it takes, and fewer when it answers 429",
  },
  kubeApiBurst: { type: "int", default: 10, minimum: 1, help: "requests at once, where --kube-api-qps is given" },
  leaderElection: { type: "boolean", help: "act only while holding the lease" },
  leaderElectionNamespace: {
    type: "string",
    placeholder: "NAME",
    help: "namespace of the lease; the one that the sidecar runs in when left out",
  },
  leaderElectionLeaseDuration: { type: "duration", default: "15s", help: "how long a lease lasts unrenewed" },
  leaderElectionRenewDeadline: { type: "duration", default: "10s", help: "how long the leader tries to renew" },
  leaderElectionRetryPeriod: { type: "duration", default: "5s", help: "between two tries" },
  leaderElectionLabels: { type: "string", placeholder: "KEY=VALUE,…", help: "labels of the lease" },
  retryIntervalStart: { type: "duration", default: "1s", help: "wait after a first failure; it doubles each time" },
  retryIntervalMax: { type: "duration", default: "5m", help: "the longest such wait" },
  httpEndpoint: {
    type: "string",
    placeholder: "HOST:PORT",
    help: "where to serve metrics and /healthz/leader-election; nowhere when left out",
  },
  metricsAddress: { type: "string", placeholder: "HOST:PORT", help: "old name of --http-endpoint" },
  metricsPath: { type: "string", placeholder: "PATH", default: "/metrics", help: "path of the metrics" },
  featureGates: { type: "string", placeholder: "NAME=BOOL,…", help: "taken and ignored: every feature is on" },
} as const satisfies OptionTable;

/** Of every sidecar. */
export const sidecarLogOptions = {
  v: { type: "int", default: 0, minimum: 0, help: "how much to log: details from 4 on" },
  ...versionOptions,
  ...originalLogOptions,
} as const satisfies OptionTable;

/** Of those with a driver beside them. */
export const driverSidecarOptions = {
  csiAddress: {
    type: "string",
    placeholder: "SOCKET",
    default: "/run/csi/socket",
    help: "the driver's socket",
  },
} as const satisfies OptionTable;

export type ClusterSidecarOptions = OptionValues<typeof clusterSidecarOptions>;
