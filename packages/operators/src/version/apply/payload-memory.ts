import type { Clock } from "@stowage/machinery";
import { VerificationSpread } from "@stowage/operator";

/**
 * What this process knows of the payload's objects on the server: which are there (`known`), and which were last seen to be as they
 * should (`spread`), so that a pass asks for few of them.
 */
export interface PayloadMemory {
  readonly known: Set<string>;
  readonly spread: VerificationSpread;
}

export function createPayloadMemory(clock: Clock, reconcilePeriodMs: number): PayloadMemory {
  return { known: new Set(), spread: new VerificationSpread(clock, reconcilePeriodMs) };
}
