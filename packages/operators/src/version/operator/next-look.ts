import type { SyncOutcome } from "@stowage/operator";
import type { PassResult, Trouble } from "../apply/index.ts";

/** Until then most rollouts are over. */
const SOON_MS = 30_000;
const LATER_MS = 300_000;

/**
 * When to look again. ClusterOperators are watched, so that only time has to be told for them; other objects are asked for, the
 * longer it takes the less often. What failed is tried again with a backoff.
 */
export function nextLook(
  { troubles, lingering }: Pick<PassResult, "troubles" | "lingering">,
  ageMs: number,
): SyncOutcome {
  if (troubles.some(isError)) return { retry: true };
  const isAskedFor = lingering.length > 0 || troubles.some(({ plural }) => plural === undefined);
  if (isAskedFor) return { requeueAfterMs: intervalMs(ageMs) };
  return troubles.length === 0 ? undefined : { requeueAfterMs: 60_000 };
}

function isError({ reason }: Trouble): boolean {
  return reason.startsWith("UpdatePayload");
}

function intervalMs(ageMs: number): number {
  if (ageMs < SOON_MS) return 1_000;
  return ageMs < LATER_MS ? 5_000 : 15_000;
}
