import { isFinalError } from "@stowage/csi";
import { ENOUGH_REFUSALS, isVerdict } from "../driver/index.ts";

export interface Attempt {
  /** An earlier call was made, or may have been, whose answer nobody has: by a process that ended, or that waited in vain. */
  readonly isRepeated: boolean;
  /** How many times in a row it has failed before. */
  readonly failures: number;
}

/**
 * Whether a failed call proves that nothing was taken. After a lost answer most errors speak of this call alone: the snapshot of the
 * one before may be there, and is known by nothing but the intent.
 */
export function provesNothingTaken(error: unknown, { isRepeated, failures }: Attempt): boolean {
  if (!isFinalError(error)) return false;
  return !isRepeated || (isVerdict(error) && failures >= ENOUGH_REFUSALS - 1);
}
