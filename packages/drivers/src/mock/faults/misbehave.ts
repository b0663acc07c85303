import { CsiError } from "@stowage/csi";
import type { Clock } from "@stowage/machinery";
import type { Misbehaviour } from "./fault.ts";

export interface Circumstances {
  readonly clock: Clock;
  /** Aborted when the caller gives up. */
  readonly signal: AbortSignal;
}

/** Does the work as the fault has it; without a fault as it should be. */
export async function misbehave<Answer>(
  fault: Misbehaviour | undefined,
  work: () => Promise<Answer>,
  { clock, signal }: Circumstances,
): Promise<Answer> {
  switch (fault?.kind) {
    case undefined:
      return await work();
    case "fail":
      throw new CsiError(fault.code, fault.message ?? `the mock was told to fail with ${fault.code}`);
    case "hang":
      return await untilCancelled(signal);
    case "slow":
      await patiently(clock.sleep(fault.delayMs, signal));
      return await work();
    case "late": {
      const answer = await work();
      await patiently(clock.sleep(fault.delayMs, signal));
      return answer;
    }
    case "lostReply":
      await work();
      throw new CsiError("UNAVAILABLE", "connection error: the mock was told to lose the answer");
  }
}

async function patiently(wait: Promise<void>): Promise<void> {
  await wait.catch(() => {
    throw cancelled();
  });
}

function untilCancelled(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) return reject(cancelled());
    signal.addEventListener("abort", () => reject(cancelled()), { once: true });
  });
}

function cancelled(): CsiError {
  return new CsiError("CANCELLED", "the caller gave up");
}
