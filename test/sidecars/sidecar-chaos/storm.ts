import type { Lab } from "@stowage/lab";
import { systemClock } from "@stowage/machinery";
import { SeededRandom } from "../../drivers/local-driver-random.ts";
import type { ClusterUsers } from "./cluster-users.ts";
import { nextFaults } from "./fault-plan.ts";
import type { MockControlClient } from "./mock-control.ts";
import { makePlainClaim, operate } from "./operations.ts";
import type { SupervisedProcess } from "./supervised-process.ts";

export interface StormDeps {
  readonly lab: Lab;
  readonly users: ClusterUsers;
  readonly driver: SupervisedProcess;
  readonly sidecars: SupervisedProcess;
  readonly control: MockControlClient;
}

export interface StormPlan {
  readonly seed: number;
  readonly claims: number;
  readonly operations: number;
}

/** How often each thing was done. */
export type StormTally = Readonly<Record<string, number>>;

/** Between two operations, so that there is always work under way when something breaks. */
const LONGEST_PAUSE_MS = 50;
const LOOK_AGAIN_MS = 50;

/**
 * Claims, then operations on them, while the sidecars and the driver are killed, the driver goes wrong, and the API server restarts
 * twice. The seed decides what is done and when; what it meets depends on how fast everything is.
 */
export async function storm(deps: StormDeps, { seed, claims, operations }: StormPlan): Promise<StormTally> {
  const { users, lab, sidecars, driver, control } = deps;
  const tally: Record<string, number> = {};
  const count = (what: string) => {
    tally[what] = (tally[what] ?? 0) + 1;
  };
  const over = new AbortController();
  const random = new SeededRandom(seed);
  const disturbances = Promise.all([
    nowAndThen({ random: new SeededRandom(seed + 1), minimumMs: 1_000, maximumMs: 5_000 }, over.signal, async () => {
      count("kill the sidecars");
      await replace(sidecars, "Connected to the CSI driver", over.signal);
    }),
    nowAndThen({ random: new SeededRandom(seed + 2), minimumMs: 12_000, maximumMs: 20_000 }, over.signal, async () => {
      count("kill the driver");
      await replace(driver, "listening at", over.signal);
    }),
    switchFaults(control, new SeededRandom(seed + 3), { signal: over.signal, count }),
  ]);
  let restarting: Promise<void> = Promise.resolve();
  for (let made = 0; made < claims; made++) await makePlainClaim(users, random);
  // Whatever the speed of the machine, the operations find volumes to work on.
  while (users.boundCount < claims / 2) await systemClock.sleep(LOOK_AGAIN_MS);
  for (let done = 0; done < operations; done++) {
    if (done === Math.floor(operations / 3) || done === Math.floor((operations * 2) / 3)) {
      count("restart the API server");
      restarting = restarting.then(() => lab.restartApiServer());
    }
    count(await operate(users, random, claims));
    await systemClock.sleep(random.below(LONGEST_PAUSE_MS));
  }
  over.abort();
  await Promise.all([disturbances, restarting]);
  return tally;
}

/** What takes long to come up gets as long to work: on a busy machine nothing would ever be done otherwise. */
async function replace(process: SupervisedProcess, words: string, signal: AbortSignal): Promise<void> {
  const killedMs = performance.now();
  await process.kill(words, signal);
  await systemClock.sleep(performance.now() - killedMs, signal).catch(() => {});
}

interface Rhythm {
  readonly random: SeededRandom;
  readonly minimumMs: number;
  readonly maximumMs: number;
}

async function nowAndThen(rhythm: Rhythm, signal: AbortSignal, act: () => Promise<void>): Promise<void> {
  const { random, minimumMs, maximumMs } = rhythm;
  for (;;) {
    await systemClock.sleep(minimumMs + random.below(maximumMs - minimumMs), signal).catch(() => {});
    if (signal.aborted) return;
    await act();
  }
}

interface Switching {
  readonly signal: AbortSignal;
  count(what: string): void;
}

/** Other faults, or none, every few seconds. A driver that is just being started has none. */
async function switchFaults(control: MockControlClient, random: SeededRandom, switching: Switching): Promise<void> {
  await nowAndThen({ random, minimumMs: 500, maximumMs: 2_500 }, switching.signal, async () => {
    const faults = random.isOneIn(3) ? [] : nextFaults(random);
    try {
      await control.clearFaults();
      for (const fault of faults) await control.addFault(fault);
      switching.count("change the driver's faults");
    } catch {
      switching.count("find no driver to change the faults of");
    }
  });
}
