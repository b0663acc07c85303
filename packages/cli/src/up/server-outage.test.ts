import { StowageError, systemClock } from "@stowage/machinery";
import { describe, expect, it } from "vitest";
import { despiteOutages } from "./server-outage.ts";

const broken = () => new StowageError("CONNECTION_RESET", "the connection broke");
const { signal } = new AbortController();

describe("despite outages of a server", () => {
  it("is done again until it is done", async () => {
    const failures = [broken(), broken()];
    let attempts = 0;
    await despiteOutages(systemClock, signal, async () => {
      attempts++;
      const failure = failures.pop();
      if (failure !== undefined) throw failure;
    });
    expect(attempts).toBe(3);
  });

  it("fails by what another try does not mend", async () => {
    const refused = new StowageError("UP_OPTIONS", "no");
    await expect(despiteOutages(systemClock, signal, () => Promise.reject(refused))).rejects.toBe(refused);
  });

  it("ends without a complaint when nobody waits any more", async () => {
    const stop = new AbortController();
    const trying = despiteOutages(systemClock, stop.signal, () => Promise.reject(broken()));
    stop.abort();
    await expect(trying).resolves.toBeUndefined();
  });
});
