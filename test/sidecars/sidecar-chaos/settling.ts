import { systemClock } from "@stowage/machinery";

/** How long it may take until less is wrong: far longer than any of the sidecars waits before it tries again. */
const STILL_MS = 120_000;
const LOOK_AGAIN_MS = 1_000;

/**
 * Waits until nothing is wrong, for as long as less and less is: how long all of it takes is a matter of the machine. Returns what is
 * wrong in the end.
 */
export async function settle(wrong: () => Promise<string[]>): Promise<string[]> {
  let [fewest, sinceMs] = [Number.POSITIVE_INFINITY, performance.now()];
  for (;;) {
    const left = await wrong();
    if (left.length < fewest) [fewest, sinceMs] = [left.length, performance.now()];
    if (left.length === 0 || performance.now() - sinceMs > STILL_MS) return left;
    await systemClock.sleep(LOOK_AGAIN_MS);
  }
}
