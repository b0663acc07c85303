import { type ClusterOperator, type ClusterOperatorStatus, findCondition } from "@stowage/machinery";
import type { Trouble } from "./trouble.ts";

/**
 * What keeps a ClusterOperator from being done: it must be available, not degraded, and at the versions that the payload lists.
 * Stricter than OpenShift's while a cluster is installed, which then only reports what is degraded and does not look at versions:
 * an installation that is said to be complete has every part at its version.
 */
export function clusterOperatorTrouble(
  expected: ClusterOperator,
  actual: ClusterOperator | undefined,
): Trouble | undefined {
  const name = expected.metadata.name ?? "";
  const status = actual?.status ?? {};
  const available = findCondition(status.conditions, "Available");
  if (available?.status !== "True") {
    return {
      effect: "fail",
      reason: "ClusterOperatorNotAvailable",
      message: `Cluster operator ${name} is not available${wordsOf(available)}`,
      name,
      plural: {
        reason: "ClusterOperatorsNotAvailable",
        message: (names) => `Cluster operators ${names} are not available`,
      },
    };
  }
  const degraded = findCondition(status.conditions, "Degraded");
  if (degraded?.status !== "False") {
    return {
      effect: "patience",
      reason: "ClusterOperatorDegraded",
      message: `Cluster operator ${name} is degraded${wordsOf(degraded)}`,
      name,
      plural: { reason: "ClusterOperatorsDegraded", message: (names) => `Cluster operators ${names} are degraded` },
    };
  }
  const undone = undoneVersions(expected.status, status);
  if (undone.length === 0) return undefined;
  return {
    effect: "wait",
    reason: "ClusterOperatorUpdating",
    message: `Cluster operator ${name} is updating versions: ${undone.join(", ")}`,
    name,
    plural: {
      reason: "ClusterOperatorsUpdating",
      message: (names) => `Cluster operators ${names} are updating versions`,
    },
  };
}

/** `operator from 1.0.0 to 1.1.0`. */
function undoneVersions(expected: ClusterOperatorStatus | undefined, actual: ClusterOperatorStatus): string[] {
  return (expected?.versions ?? [])
    .flatMap(({ name, version }) => {
      const current = actual.versions?.find((each) => each.name === name)?.version ?? "";
      if (current === version) return [];
      return [current === "" ? `${name} to ${version}` : `${name} from ${current} to ${version}`];
    })
    .toSorted();
}

function wordsOf(condition: { readonly reason?: string; readonly message?: string } | undefined): string {
  if (condition === undefined) return ": nothing is said of it yet";
  const words = [condition.reason, condition.message].filter((text) => text !== undefined && text !== "");
  return words.length === 0 ? "" : `: ${words.join(": ")}`;
}
