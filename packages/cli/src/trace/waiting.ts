import { provisioningAnnotations } from "@stowage/machinery";
import type { Records } from "./records.ts";
import { endOf, type Step } from "./step.ts";

/** Shorter than this nobody waits. */
const SHORTEST_MS = 1000;

/** With a step for each time in which nothing happened: for whom it was waited. */
export function withWaiting(steps: readonly Step[]): readonly Step[] {
  let endedMs: number | undefined;
  return steps.flatMap((step) => {
    const sinceMs = endedMs;
    endedMs = Math.max(endedMs ?? 0, endOf(step));
    if (sinceMs === undefined || step.atMs - sinceMs <= SHORTEST_MS) return [step];
    const actor = step.caller ?? step.actor;
    const says = isWish(step) ? "nothing to do until then" : `waited for ${actor}`;
    return [waitingStep(actor, { sinceMs, untilMs: step.atMs, says }), step];
  });
}

/** Comes from outside: nobody was late with it. */
function isWish({ kind, object }: Step): boolean {
  return kind === "deleted" || (kind === "created" && /^(?:Pod|VolumeSnapshot) /u.test(object));
}

/** What is not done yet, and whose turn it is. */
export function waitingNow(records: Records, steps: readonly Step[], nowMs: number): readonly Step[] {
  const sinceMs = Math.max(...steps.map(endOf));
  const turn = turnOf(records);
  if (turn === undefined || nowMs - sinceMs <= SHORTEST_MS) return [];
  return [waitingStep(turn.actor, { sinceMs, untilMs: nowMs, says: `still waiting for ${turn.what}` })];
}

interface Turn {
  readonly actor: string;
  readonly what: string;
}

function turnOf(records: Records): Turn | undefined {
  return turnOfClaim(records) ?? turnOfAttacher(records) ?? turnOfPod(records);
}

function turnOfClaim({ claim, isDelayed, pods, driver }: Records): Turn | undefined {
  if (claim === undefined) return undefined;
  const { deletionTimestamp, finalizers = [], annotations = {} } = claim.metadata;
  if (deletionTimestamp !== undefined) {
    return { actor: finalizers.join(", "), what: `${finalizers.join(", ")} to be taken off the claim` };
  }
  if (claim.status?.phase === "Bound") return undefined;
  if (isDelayed && annotations[provisioningAnnotations.selectedNode] === undefined) {
    return pods.length === 0
      ? { actor: "a Pod", what: "a Pod that uses the claim" }
      : { actor: "default-scheduler", what: "the scheduler to choose a node" };
  }
  return { actor: "provisioner", what: driver === undefined ? "a volume" : `the provisioner of ${driver}` };
}

function turnOfAttacher({ attachments }: Records): Turn | undefined {
  const open = attachments.find(
    ({ metadata, status }) => metadata.deletionTimestamp !== undefined || status?.attached !== true,
  );
  if (open === undefined) return undefined;
  const what = open.metadata.deletionTimestamp === undefined ? "to attach it to" : "to detach it from";
  return { actor: "attacher", what: `the attacher ${what} ${open.spec.nodeName}` };
}

function turnOfPod({ pods }: Records): Turn | undefined {
  const pending = pods.find(({ status }) => status?.phase === "Pending" || status?.phase === undefined);
  if (pending === undefined) return undefined;
  const { metadata, spec } = pending;
  return spec?.nodeName
    ? { actor: `kubelet ${spec.nodeName}`, what: `kubelet to start Pod ${metadata.name}` }
    : { actor: "default-scheduler", what: `the scheduler to place Pod ${metadata.name}` };
}

function waitingStep(
  actor: string,
  { sinceMs, untilMs, says }: { sinceMs: number; untilMs: number; says: string },
): Step {
  return {
    atMs: sinceMs,
    isExact: true,
    durationMs: untilMs - sinceMs,
    actor,
    kind: "waiting",
    object: "",
    says,
    isTrouble: false,
    source: "",
    rank: 0,
  };
}
