import { StowageError } from "@stowage/machinery";
import { ManualClock } from "@stowage/machinery/testing";
import { describe, expect, it } from "vitest";
import { despiteOutages } from "./server-outage.ts";

const broken = () => new StowageError("CONNECTION_RESET", "the connection broke");
const { signal } = new AbortController();

describe("despite outages of a server", () => {
  it("is done again until it is done", async () => {
    const failures = [broken(), broken()];
    const clock = new ManualClock();
    let attempts = 0;
    const done = despiteOutages(clock, signal, async () => {
      attempts++;
      const failure = failures.pop();
      if (failure !== undefined) throw failure;
    });
    await clock.advance(1_000);
    await done;
    expect(attempts).toBe(3);
  });

  it("fails by what another try does not mend", async () => {
    const refused = new StowageError("UP_OPTIONS", "no");
    await expect(despiteOutages(new ManualClock(), signal, () => Promise.reject(refused))).rejects.toBe(refused);
  });

  it("ends without a complaint when nobody waits any more", async () => {
    const stop = new AbortController();
    const trying = despiteOutages(new ManualClock(), stop.signal, () => Promise.reject(broken()));
    stop.abort();
    await expect(trying).resolves.toBeUndefined();
  });
});
