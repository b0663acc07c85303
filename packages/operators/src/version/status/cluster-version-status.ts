import {
  type ClusterRelease,
  type ClusterVersionStatus,
  findCondition,
  type OperatorCondition,
  removeCondition,
  setCondition,
  type UpdateHistory,
} from "@stowage/machinery";
import type { PayloadMode, Trouble } from "../apply/index.ts";
import type { Acceptance } from "./acceptance.ts";
import { desiredHistory } from "./history.ts";
import { summaryFor, type TroubleWords, wordsFor } from "./trouble-words.ts";
import type { UpgradeBlock } from "./upgradeable.ts";

/** How far a payload is. */
export interface PayloadProgress {
  readonly release: ClusterRelease;
  readonly hash: string;
  /** What it was when the pass began. */
  readonly mode: PayloadMode;
  readonly done: number;
  readonly total: number;
  readonly isComplete: boolean;
  readonly trouble: Trouble | undefined;
  /** Since when there has been this trouble. */
  readonly troubleSinceMs: number;
  readonly acceptedRisks?: string;
}

export interface StatusFacts {
  readonly generation: number;
  /** Undefined while there is no payload that may be applied. */
  readonly progress: PayloadProgress | undefined;
  readonly acceptance: Acceptance;
  /** What blocks an upgrade, by the history that is to be. */
  readonly blockBy: (history: readonly UpdateHistory[]) => UpgradeBlock | undefined;
  readonly nowMs: number;
}

type Stated = Omit<OperatorCondition, "lastTransitionTime">;

export function desiredClusterVersionStatus(
  existing: ClusterVersionStatus | undefined,
  facts: StatusFacts,
): ClusterVersionStatus {
  const { progress, generation, nowMs } = facts;
  const before = existing?.history ?? [];
  const history = progress === undefined ? before : desiredHistory(before, { ...progress, nowMs });
  return {
    ...existing,
    desired: progress?.release ?? existing?.desired ?? { version: "", image: "" },
    history,
    observedGeneration: generation,
    versionHash: progress?.hash ?? existing?.versionHash ?? "",
    availableUpdates: existing?.availableUpdates ?? null,
    conditions: desiredConditions(existing?.conditions ?? [], facts, facts.blockBy(history)),
  };
}

function desiredConditions(
  existing: readonly OperatorCondition[],
  facts: StatusFacts,
  block: UpgradeBlock | undefined,
): OperatorCondition[] {
  const stated: Stated[] = [
    ...(facts.progress === undefined ? withoutPayload(existing, facts.acceptance) : withPayload(existing, facts)),
    retrievedUpdates,
    acceptedCondition(facts.acceptance),
    ...(block === undefined ? [] : [{ type: "Upgradeable", status: "False", ...block } as const]),
  ];
  const kept = block === undefined ? removeCondition(existing, "Upgradeable") : existing;
  return stated.reduce<OperatorCondition[]>((all, one) => setCondition(all, one, facts.nowMs), [...kept]);
}

/** There is no server of updates to ask: what to update to is put before the operator as a payload. */
const retrievedUpdates: Stated = {
  type: "RetrievedUpdates",
  status: "False",
  reason: "NoChannel",
  message: "Updates come as payloads; none are looked for.",
};

function acceptedCondition({ isAccepted, reason, message }: Acceptance): Stated {
  return { type: "ReleaseAccepted", status: isAccepted ? "True" : "False", reason, message };
}

/** Nothing can be applied. What was said of the cluster before is the best that is known. */
function withoutPayload(existing: readonly OperatorCondition[], { reason, message }: Acceptance): Stated[] {
  const before = (type: string, otherwise: Stated): Stated => findCondition(existing, type) ?? otherwise;
  const isUnreadable = reason === "LoadPayload";
  return [
    before("Available", stated("Available", "False")),
    isUnreadable
      ? stated("Failing", "True", "UpdatePayloadIntegrity", message)
      : before("Failing", stated("Failing", "False")),
    before("Progressing", stated("Progressing", "False", undefined, "There is no payload to apply")),
  ];
}

function withPayload(existing: readonly OperatorCondition[], facts: StatusFacts): Stated[] {
  const progress = facts.progress as PayloadProgress;
  const { trouble, troubleSinceMs, isComplete, mode, release } = progress;
  const isReconciling = mode === "reconciling" || isComplete;
  const words = trouble && wordsFor(trouble, troubleSinceMs, facts.nowMs);
  const available = isReconciling
    ? stated("Available", "True", undefined, `Done applying ${release.version}`)
    : (findCondition(existing, "Available") ?? stated("Available", "False"));
  return [
    available,
    failingCondition(trouble, words, isReconciling),
    isReconciling ? reconcilingCondition(progress, words) : updatingCondition(progress, words),
  ];
}

function failingCondition(
  trouble: Trouble | undefined,
  words: TroubleWords | undefined,
  isReconciling: boolean,
): Stated {
  if (trouble === undefined || words === undefined) return stated("Failing", "False");
  if (words.isFailure || (isReconciling && trouble.effect !== "wait")) {
    return stated("Failing", "True", trouble.reason, trouble.message);
  }
  return words.isSlow
    ? stated("Failing", "Unknown", "SlowClusterOperator", words.progress)
    : stated("Failing", "False");
}

function reconcilingCondition({ release, trouble }: PayloadProgress, words: TroubleWords | undefined): Stated {
  if (trouble === undefined || trouble.effect === "wait" || words === undefined) {
    return stated("Progressing", "False", undefined, `Cluster version is ${release.version}`);
  }
  const message = `Error while reconciling ${release.version}: ${summaryFor(trouble)}`;
  return stated("Progressing", "False", trouble.reason, message);
}

function updatingCondition({ release, done, total }: PayloadProgress, words: TroubleWords | undefined): Stated {
  if (words?.isFailure) {
    return stated("Progressing", "True", words.reason, `Unable to apply ${release.version}: ${words.progress}`);
  }
  const counts = done === 0 ? [] : [`${done} of ${total} done (${Math.floor((100 * done) / total)}% complete)`];
  const details = [...counts, ...(words === undefined ? [] : [words.progress])].join(", ");
  const message = `Working towards ${release.version}${details === "" ? "" : `: ${details}`}`;
  return stated("Progressing", "True", words?.reason, message);
}

/** Without empty fields, which would look like changes. */
function stated(type: string, status: OperatorCondition["status"], reason?: string, message?: string): Stated {
  return { type, status, ...(reason && { reason }), ...(message && { message }) };
}
