import { type ClusterRelease, formatTime, type UpdateHistory } from "@stowage/machinery";
import type { PayloadMode } from "../apply/index.ts";

/** As many as OpenShift keeps. */
export const MAXIMUM_HISTORY = 100;
/** The latest ones tell what is going on now. */
const LATEST_KEPT = 5;

export interface HistoryStep {
  readonly release: ClusterRelease;
  readonly isComplete: boolean;
  /** What was gone ahead with although something spoke against it. */
  readonly acceptedRisks?: string;
  readonly nowMs: number;
}

/** The history, the latest first, with what is true now of the release. */
export function desiredHistory(history: readonly UpdateHistory[], step: HistoryStep): UpdateHistory[] {
  const { release, isComplete, nowMs } = step;
  const now = formatTime(nowMs);
  const [last, ...earlier] = history;
  if (last !== undefined && isSameRelease(last, release)) {
    const { version } = release;
    const image = release.image === "" ? last.image : release.image;
    const named = { ...last, version, image, ...risksOf(step) };
    if (!isComplete || last.state === "Completed") return [named, ...earlier];
    return [{ ...named, state: "Completed", completionTime: now }, ...earlier];
  }
  const { version, image } = release;
  const begun: UpdateHistory = {
    state: isComplete ? "Completed" : "Partial",
    startedTime: now,
    completionTime: isComplete ? now : null,
    version,
    image,
    verified: false,
    ...risksOf(step),
  };
  // What was not complete never will be: this is when it was given up.
  const ended = last === undefined ? [] : [{ ...last, completionTime: last.completionTime ?? now }];
  return bounded([begun, ...ended, ...earlier]);
}

/** By version, and by image where both have one: a version that was built anew is another release. */
export function isSameRelease(entry: Pick<UpdateHistory, "version" | "image">, release: ClusterRelease): boolean {
  if (entry.version !== release.version) return false;
  return entry.image === "" || release.image === "" || entry.image === release.image;
}

/** Whether the history knows already that the cluster is to be brought to this release. */
export function isBegun([last]: readonly UpdateHistory[], release: ClusterRelease): boolean {
  return last !== undefined && isSameRelease(last, release);
}

export function modeOf(history: readonly UpdateHistory[], release: ClusterRelease): PayloadMode {
  if (!history.some(({ state }) => state === "Completed")) return "installing";
  const [last] = history;
  const isThere = last !== undefined && last.state === "Completed" && isSameRelease(last, release);
  return isThere ? "reconciling" : "updating";
}

function risksOf({ acceptedRisks }: HistoryStep): Pick<UpdateHistory, "acceptedRisks"> {
  return acceptedRisks === undefined || acceptedRisks === "" ? {} : { acceptedRisks };
}

/** Never the first, the latest or the last complete one; of the others, the oldest that was given up, else the oldest. */
function bounded(history: readonly UpdateHistory[]): UpdateHistory[] {
  if (history.length <= MAXIMUM_HISTORY) return [...history];
  const lastCompleted = history.findIndex(({ state }) => state === "Completed");
  const mayGo = [...history.keys()]
    .filter((index) => index >= LATEST_KEPT && index !== lastCompleted && index !== history.length - 1)
    .toReversed();
  const victim = mayGo.find((index) => history[index]?.state === "Partial") ?? mayGo[0];
  return history.filter((_, index) => index !== victim);
}
