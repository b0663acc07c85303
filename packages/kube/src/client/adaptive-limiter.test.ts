import { ManualClock } from "@stowage/machinery/testing";
import { expect, test } from "vitest";
import { createAdaptiveLimiter } from "./adaptive-limiter.ts";

/** Runs `seconds` of a caller that always has a request to send, against a server that takes `serverQps`; returns how many it took. */
async function drive(
  { clock, limiter }: { clock: ManualClock; limiter: ReturnType<typeof createAdaptiveLimiter> },
  { seconds, serverQps, wantedQps }: { seconds: number; serverQps: number; wantedQps: number },
): Promise<{ taken: number; refused: number }> {
  let taken = 0;
  let refused = 0;
  let allowance = 0;
  let waiting = 0;
  const stepMs = 1000 / wantedQps;
  for (let step = 0; step < seconds * wantedQps; step++) {
    allowance = Math.min(allowance + serverQps / wantedQps, serverQps / 10);
    if (waiting < 50) {
      waiting++;
      void limiter.acquire().then(() => {
        waiting--;
        const isTaken = allowance >= 1;
        if (isTaken) {
          allowance--;
          taken++;
        } else refused++;
        limiter.answered?.(isTaken ? 200 : 429);
      });
    }
    await clock.advance(stepMs);
  }
  return { taken, refused };
}

test("without a complaint of the server's nothing waits", async () => {
  const clock = new ManualClock();
  const limiter = createAdaptiveLimiter({ clock });
  for (let i = 0; i < 1000; i++) await limiter.acquire();
  expect(clock.sleeping).toBe(0);
});

test("a server that takes 50 a second is sent about 50 a second, with few refusals", async () => {
  const clock = new ManualClock();
  const limiter = createAdaptiveLimiter({ clock });
  await drive({ clock, limiter }, { seconds: 10, serverQps: 50, wantedQps: 500 });
  const { taken, refused } = await drive({ clock, limiter }, { seconds: 60, serverQps: 50, wantedQps: 500 });
  expect(taken / 60).toBeGreaterThan(35);
  expect(taken / 60).toBeLessThanOrEqual(50);
  expect(refused / (taken + refused)).toBeLessThan(0.1);
});

test("once the server takes more, the limit grows and is lifted", async () => {
  const clock = new ManualClock();
  const limiter = createAdaptiveLimiter({ clock });
  await drive({ clock, limiter }, { seconds: 10, serverQps: 20, wantedQps: 500 });
  await drive({ clock, limiter }, { seconds: 40, serverQps: 100_000, wantedQps: 500 });
  const { taken } = await drive({ clock, limiter }, { seconds: 5, serverQps: 100_000, wantedQps: 500 });
  expect(taken / 5).toBeGreaterThan(490);
});

test("a wait ends with the signal's reason", async () => {
  const clock = new ManualClock();
  const limiter = createAdaptiveLimiter({ clock });
  limiter.answered?.(429);
  const stop = new AbortController();
  const waiting = limiter.acquire(stop.signal);
  stop.abort(new Error("stopped"));
  await expect(waiting).rejects.toThrow("stopped");
});
