import {
  persistentVolumeClaims,
  persistentVolumes,
  pods,
  storageClasses,
  volumeGroupSnapshots,
  volumeSnapshots,
} from "@stowage/machinery";
import { readable } from "./check.ts";
import { explainClaim, explainMissingClaim, isClaimWell } from "./claim/explain-claim.ts";
import { explainClass, explainMissingClass } from "./class/explain-class.ts";
import type { Facts, Look } from "./facts.ts";
import { type Finding, keyOf } from "./finding.ts";
import { explainMissingPod, explainPod, isPodWell } from "./pod/explain-pod.ts";
import {
  explainGroupSnapshot,
  explainMissingGroupSnapshot,
  isGroupSnapshotWell,
} from "./snapshot/explain-group-snapshot.ts";
import { explainMissingSnapshot, explainSnapshot, isSnapshotWell } from "./snapshot/explain-snapshot.ts";
import type { SubjectKind } from "./subject-kinds.ts";
import { explainMissingVolume, explainVolume, isVolumeWell } from "./volume/explain-volume.ts";

export interface Subject {
  readonly kind: SubjectKind;
  readonly namespace: string;
  readonly name: string;
}

/** `well`: nothing keeps it; `explained`: the first finding does; `unknown`: something does, and it was not found. */
export type Verdict = "well" | "explained" | "unknown";

export interface Explanation {
  /** `PersistentVolumeClaim shop/data` */
  readonly subject: string;
  /** `Pending`; `missing` when it is not there. */
  readonly state: string;
  readonly verdict: Verdict;
  /** The cause first, then what else is not as it should be. */
  readonly findings: readonly Finding[];
  readonly looks: readonly Look[];
}

interface Answer {
  readonly kind: string;
  readonly state: string;
  readonly isWell: boolean;
  readonly findings: readonly Finding[];
}

/**
 * Why the subject is not there, not ready, or not gone. The rest of this room, in reading order: `causes.ts` (all that can be found),
 * `finding.ts` (a cause with what shows and mends it), `facts.ts` (the one seam to the cluster), `check.ts` (one question each); then
 * the questions by what they look at: `claim/`, `class/`, `driver/`, `scheduling/`, `pod/`, `attachment/`, `mount/`, `volume/`,
 * `expansion/`, `snapshot/`; and `explanation-text.ts` for people. `scenarios/` makes every cause for real.
 */
export async function explain(subject: Subject, facts: Facts): Promise<Explanation> {
  const { kind, state, isWell, findings } = await answers[subject.kind](subject, facts);
  const { namespace, name } = subject;
  const isNamespaced = subject.kind !== "pv" && subject.kind !== "storageclass";
  const verdict = findings.length > 0 ? "explained" : isWell ? "well" : "unknown";
  return {
    subject: `${kind} ${keyOf(isNamespaced ? { namespace, name } : { name })}`,
    state,
    verdict,
    findings,
    looks: facts.looks,
  };
}

const answers: Readonly<Record<SubjectKind, (subject: Subject, facts: Facts) => Promise<Answer>>> = {
  async pvc({ namespace, name }, facts) {
    const kind = "PersistentVolumeClaim";
    const claim = await facts.find(persistentVolumeClaims, { namespace, name });
    if (claim === undefined) return missingAnswer(kind, await explainMissingClaim({ namespace, name }, facts));
    const state = stateOf(claim, claim.status?.phase ?? "Pending");
    return { kind, state, isWell: isClaimWell(claim), findings: await readable(() => explainClaim(claim, facts)) };
  },
  async pv({ name }, facts) {
    const kind = "PersistentVolume";
    const volume = await facts.find(persistentVolumes, { name });
    if (volume === undefined) return missingAnswer(kind, explainMissingVolume(name));
    const state = stateOf(volume, volume.status?.phase ?? "Pending");
    return { kind, state, isWell: isVolumeWell(volume), findings: await readable(() => explainVolume(volume, facts)) };
  },
  async pod({ namespace, name }, facts) {
    const kind = "Pod";
    const pod = await facts.find(pods, { namespace, name });
    if (pod === undefined) return missingAnswer(kind, explainMissingPod({ namespace, name }));
    const state = stateOf(pod, pod.status?.phase ?? "Pending");
    return { kind, state, isWell: isPodWell(pod), findings: await readable(() => explainPod(pod, facts)) };
  },
  async volumesnapshot({ namespace, name }, facts) {
    const kind = "VolumeSnapshot";
    const snapshot = await facts.find(volumeSnapshots, { namespace, name });
    if (snapshot === undefined) return missingAnswer(kind, await explainMissingSnapshot({ namespace, name }, facts));
    const state = stateOf(snapshot, snapshot.status?.readyToUse === true ? "ready to use" : "not ready to use");
    return {
      kind,
      state,
      isWell: isSnapshotWell(snapshot),
      findings: await readable(() => explainSnapshot(snapshot, facts)),
    };
  },
  async volumegroupsnapshot({ namespace, name }, facts) {
    const kind = "VolumeGroupSnapshot";
    const group = await facts.find(volumeGroupSnapshots, { namespace, name });
    if (group === undefined) return missingAnswer(kind, await explainMissingGroupSnapshot({ namespace, name }, facts));
    const state = stateOf(group, group.status?.readyToUse === true ? "ready to use" : "not ready to use");
    return {
      kind,
      state,
      isWell: isGroupSnapshotWell(group),
      findings: await readable(() => explainGroupSnapshot(group, facts)),
    };
  },
  async storageclass({ name }, facts) {
    const kind = "StorageClass";
    const storageClass = await facts.find(storageClasses, { name });
    if (storageClass === undefined) return missingAnswer(kind, explainMissingClass(name));
    return { kind, state: "there", isWell: true, findings: await readable(() => explainClass(storageClass, facts)) };
  },
};

function stateOf({ metadata }: { readonly metadata: { readonly deletionTimestamp?: string } }, state: string): string {
  return metadata.deletionTimestamp === undefined ? state : `${state}, being deleted`;
}

function missingAnswer(kind: string, findings: readonly Finding[]): Answer {
  return { kind, state: "missing", isWell: false, findings };
}
