import { describe, expect, it } from "vitest";
import { type Outcome, RealOutcomes } from "./real-outcomes.ts";

/** A real cluster that ends so, time after time, after it has ended as `first`. */
async function asked(ours: Outcome, first: Outcome, ...later: readonly (Outcome | undefined)[]) {
  const outcomes = new RealOutcomes(ours);
  outcomes.add(first);
  const plays = await outcomes.askAgain(async (round) => later[round - 2]);
  return { plays, closest: outcomes.closest(), varied: outcomes.varied() };
}

const ours = { pods: ["ran"], events: ["told"] };
const silent = { pods: ["ran"], events: [] };
const failed = { pods: ["failed"], events: ["told"] };

describe("what ours ended in", () => {
  it("is not asked about again when the real cluster ended in it", async () => {
    expect(await asked(ours, ours)).toEqual({ plays: 1, closest: ours, varied: [] });
  });

  it("is right when the real cluster ends in it, too, later on", async () => {
    expect(await asked(ours, silent, silent, ours)).toEqual({ plays: 3, closest: ours, varied: ["events"] });
  });

  it("is right when each section was shown, though not all of them at once", async () => {
    expect(await asked(ours, silent, failed)).toEqual({ plays: 2, closest: ours, varied: ["pods", "events"] });
  });

  it("is wrong when the real cluster does not show it in five plays", async () => {
    const { plays, closest, varied } = await asked(ours, silent, silent, silent, silent, silent, ours);
    expect([plays, closest, varied]).toEqual([5, silent, []]);
  });

  it("is wrong in the section that was never shown, whatever was shown of the others", async () => {
    const { closest } = await asked({ pods: ["odd"], events: ["told"] }, silent, failed, failed, failed, failed);
    expect(closest).toEqual({ pods: ["ran"], events: ["told"] });
  });

  it("is not judged by plays that did not come to their end", async () => {
    expect(await asked(ours, silent, undefined, ours)).toMatchObject({ plays: 3, closest: ours });
    const outcomes = new RealOutcomes<unknown>(ours);
    expect(await outcomes.askAgain(async () => undefined)).toBe(5);
    expect(outcomes.closest()).toBeUndefined();
  });

  it("may lack what is empty, and nothing else", async () => {
    expect(await asked({ pods: ["ran"] }, silent)).toMatchObject({ plays: 1 });
    expect(await asked({ pods: ["ran"] }, ours, ours, ours, ours, ours)).toMatchObject({ plays: 5, closest: ours });
  });
});

describe("a further play", () => {
  it("completes ours when it shows what is left, whatever else it shows", () => {
    const outcomes = new RealOutcomes<unknown>(ours);
    outcomes.add(silent);
    expect(outcomes.isCompletedBy(failed)).toBe(true);
    expect(outcomes.isCompletedBy(silent)).toBe(false);
  });
});
