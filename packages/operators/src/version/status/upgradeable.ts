import { type ClusterOperator, type ClusterVersionSpec, findCondition, type UpdateHistory } from "@stowage/machinery";

/** Why the cluster must not go to another minor version. */
export interface UpgradeBlock {
  readonly reason: string;
  readonly message: string;
}

export interface UpgradeFacts {
  readonly clusterOperators: readonly ClusterOperator[];
  readonly overrides: ClusterVersionSpec["overrides"];
  readonly history: readonly UpdateHistory[];
  /** Objects that earlier payloads had and that do not go. */
  readonly lingering: readonly string[];
}

/** One block of all that there are; undefined when nothing speaks against an upgrade. */
export function upgradeBlock(facts: UpgradeFacts): UpgradeBlock | undefined {
  const blocks = [...operatorBlocks(facts), ...overrideBlocks(facts), ...updateBlocks(facts), ...deletionBlocks(facts)];
  const [first] = blocks;
  if (first === undefined || blocks.length === 1) return first;
  const lines = blocks.map(({ message }) => `* ${message}`).join("\n");
  return {
    reason: "MultipleReasons",
    message: `The cluster should not be upgraded between minor versions, for several reasons:\n${lines}`,
  };
}

function operatorBlocks({ clusterOperators }: UpgradeFacts): UpgradeBlock[] {
  return clusterOperators
    .toSorted((a, b) => ((a.metadata.name ?? "") < (b.metadata.name ?? "") ? -1 : 1))
    .flatMap(({ metadata, status }) => {
      const upgradeable = findCondition(status?.conditions, "Upgradeable");
      if (upgradeable?.status !== "False") return [];
      const words = [upgradeable.reason, upgradeable.message].filter(Boolean).join(": ");
      const message = `Cluster operator ${metadata.name} should not be upgraded between minor versions: ${words}`;
      return [{ reason: upgradeable.reason || "ClusterOperatorNotUpgradeable", message }];
    });
}

/** Nobody knows whether what is not ours fits the next version. */
function overrideBlocks({ overrides = [] }: UpgradeFacts): UpgradeBlock[] {
  const unmanaged = overrides.filter((override) => override.unmanaged);
  if (unmanaged.length === 0) return [];
  const names = unmanaged.map(
    ({ kind, namespace, name }) => `${kind} ${namespace === "" ? "" : `${namespace}/`}${name}`,
  );
  const message = `spec.overrides keeps the version operator from ${names.join(", ")}: remove it before an upgrade between minor versions`;
  return [{ reason: "ClusterVersionOverridesSet", message }];
}

/** From one update into the next; an installation that does not succeed may be mended by another version. */
function updateBlocks({ history }: UpgradeFacts): UpgradeBlock[] {
  const [last, ...earlier] = history;
  if (last?.state !== "Partial" || !earlier.some(({ state }) => state === "Completed")) return [];
  return [
    {
      reason: "UpdateInProgress",
      message: `The update to ${last.version} is in progress: see the condition Progressing`,
    },
  ];
}

function deletionBlocks({ lingering }: UpgradeFacts): UpgradeBlock[] {
  if (lingering.length === 0) return [];
  const message = `Objects of earlier versions are still being deleted, look at their finalizers: ${lingering.join(", ")}`;
  return [{ reason: "ResourceDeletesInProgress", message }];
}
