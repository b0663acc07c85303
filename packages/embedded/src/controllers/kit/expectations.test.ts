import { ManualClock } from "@stowage/machinery/testing";
import { describe, expect, it } from "vitest";
import { Expectations } from "./expectations.ts";

describe("what the copies are expected to show", () => {
  it("is nothing for a key that nothing was done for", () => {
    expect(new Expectations(new ManualClock()).areMet("a")).toBe(true);
  });

  it("is met when every creation was seen, also before the answer came", () => {
    const expectations = new Expectations(new ManualClock());
    expectations.expect("a", { creations: 2 });
    expectations.creationSeen("a");
    expect(expectations.areMet("a")).toBe(false);
    expectations.creationSeen("a");
    expect(expectations.areMet("a")).toBe(true);
  });

  it("counts each deletion once, however often it is seen", () => {
    const expectations = new Expectations(new ManualClock());
    expectations.expect("a", { deletions: ["x", "y"] });
    expectations.deletionSeen("a", "x");
    expectations.deletionSeen("a", "x");
    expect(expectations.areMet("a")).toBe(false);
    expectations.deletionSeen("a", "y");
    expect(expectations.areMet("a")).toBe(true);
  });

  it("grows with what is done beside it", () => {
    const expectations = new Expectations(new ManualClock());
    expectations.expectMore("a", { creations: 1 });
    expectations.expectMore("a", { deletions: ["x"] });
    expectations.creationSeen("a");
    expect(expectations.areMet("a")).toBe(false);
    expectations.deletionSeen("a", "x");
    expect(expectations.areMet("a")).toBe(true);
  });

  it("is given up after five minutes", async () => {
    const clock = new ManualClock();
    const expectations = new Expectations(clock);
    expectations.expect("a", { creations: 1 });
    await clock.advance(300_000);
    expect(expectations.areMet("a")).toBe(false);
    await clock.advance(1);
    expect(expectations.areMet("a")).toBe(true);
  });
});
