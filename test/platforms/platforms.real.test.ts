import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type PlatformLanes, startLanes } from "./platforms/platform-lanes.ts";
import type { PlatformOutcome } from "./platforms/platform-run.ts";
import { openshiftPlatforms, plainPlatforms } from "./platforms/platform-table.ts";

// From an empty cluster of each platform to storage that is available, by the operators as they are deployed and with the rights that they
// are deployed with. In the place of kubelets stands the test: see `chain/`. STOWAGE_QUIET_SECONDS is how long each has to be at rest.

const quietSeconds = Number(process.env["STOWAGE_QUIET_SECONDS"] ?? 15);
/** Half a gigabyte each. While some are at rest, the others have the machine. */
const LANES = 7;
const platforms = [...openshiftPlatforms, ...plainPlatforms];
/** The last ones have to wait for all others. */
const PATIENCE_MS = 900_000 + quietSeconds * 1_000 * Math.ceil(platforms.length / LANES);

const compileCache = mkdtempSync(join(tmpdir(), "platforms-compiled-"));
let lanes: PlatformLanes;

beforeAll(async () => {
  // For some eighty processes of the same sources.
  vi.stubEnv("NODE_COMPILE_CACHE", compileCache);
  lanes = await startLanes(platforms, { laneCount: LANES, busyCount: 3, quietMs: quietSeconds * 1_000 });
}, 300_000);
afterAll(async () => {
  await lanes?.[Symbol.asyncDispose]();
  vi.unstubAllEnvs();
  rmSync(compileCache, { recursive: true, force: true });
}, PATIENCE_MS);

describe.each(platforms)("from nothing to storage on $name", (platform) => {
  let outcome: PlatformOutcome;

  beforeAll(async () => {
    outcome = await lanes.outcomeOf(platform);
    const { secondsToAvailable, objectCount, writes } = outcome;
    console.info(
      `${platform.name}: available after ${secondsToAvailable.toFixed(1)} s, ${objectCount} objects made, ` +
        `${writes.length} writes in ${quietSeconds} s of rest`,
    );
  }, PATIENCE_MS);

  it("the operators of the platform's drivers are all well, and there are no others", () => {
    expect(outcome.drivers).toEqual(platform.drivers.toSorted());
    expect(outcome.complaints).toEqual([]);
  });

  it("every object was accepted field by field, and has nothing left to fill in", () => {
    // What the payload alone has.
    expect(outcome.objectCount).toBeGreaterThan(50);
    expect(outcome.unfilled).toEqual([]);
  });

  it("nobody asks for what he may not", () => {
    expect(outcome.refused).toEqual([]);
  });

  it("nothing but leases is written from then on", () => {
    expect(outcome.writes).toEqual([]);
    expect(outcome.changes).toEqual([]);
  });
});
