import type { ClusterSidecarOptions } from "./common-options.ts";

type CheckedOptions = "httpEndpoint" | "metricsAddress" | "leaderElection" | "leaderElectionLabels";

type Checked = Partial<Pick<ClusterSidecarOptions, CheckedOptions>> & { readonly nodeDeployment?: unknown };

/** What is wrong with flags that are each right by themselves, in words; found before anything is connected to. */
export function flagProblem(options: Checked): string | undefined {
  const { httpEndpoint, metricsAddress, leaderElection, leaderElectionLabels = "", nodeDeployment } = options;
  if (httpEndpoint !== undefined && metricsAddress !== undefined)
    return "--metrics-address is the old name of --http-endpoint: give one of the two";
  if (leaderElection === true && nodeDeployment === true)
    return "--leader-election has no place with --node-deployment, where each node's own one acts";
  const broken = leaderElectionLabels.split(",").find((pair) => pair !== "" && !/^[^=]+=/.test(pair));
  return broken === undefined ? undefined : `--leader-election-labels: ${JSON.stringify(broken)} is not KEY=VALUE`;
}
