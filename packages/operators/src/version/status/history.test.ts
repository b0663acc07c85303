import type { UpdateHistory } from "@stowage/machinery";
import { describe, expect, it, test } from "vitest";
import { desiredHistory, MAXIMUM_HISTORY, modeOf } from "./history.ts";

const startedTime = "2026-01-01T00:00:00Z";
const nowMs = Date.parse("2026-01-02T00:00:00Z");
const now = "2026-01-02T00:00:00Z";

function entry(version: string, state: UpdateHistory["state"], image = ""): UpdateHistory {
  const completionTime = state === "Completed" ? startedTime : null;
  return { version, image, state, startedTime, completionTime, verified: false };
}

const release = (version: string, image = "") => ({ version, image });
const lines = (history: readonly UpdateHistory[]) =>
  history.map(({ version, state, completionTime }) => `${version} ${state} ${completionTime ?? "open"}`);

describe("the history", () => {
  test.each<[string, UpdateHistory[], boolean, string[]]>([
    ["begins", [], false, ["1.1.0 Partial open"]],
    ["notes once that a version is complete", [entry("1.1.0", "Partial")], true, [`1.1.0 Completed ${now}`]],
    ["leaves a complete one as it is", [entry("1.1.0", "Completed")], true, [`1.1.0 Completed ${startedTime}`]],
    [
      "begins another version and says when the last was given up",
      [entry("1.0.0", "Partial")],
      false,
      ["1.1.0 Partial open", `1.0.0 Partial ${now}`],
    ],
    [
      "keeps the time at which the last one was complete",
      [entry("1.0.0", "Completed")],
      false,
      ["1.1.0 Partial open", `1.0.0 Completed ${startedTime}`],
    ],
  ])("%s", (_what, history, isComplete, expected) => {
    expect(lines(desiredHistory(history, { release: release("1.1.0"), isComplete, nowMs }))).toEqual(expected);
  });

  it("takes a version that was built anew for another release, and an image that was not known for the same", () => {
    const known = [entry("1.1.0", "Completed", "image-a")];
    const step = { isComplete: false, nowMs };
    expect(desiredHistory(known, { ...step, release: release("1.1.0", "image-b") })).toHaveLength(2);
    expect(desiredHistory(known, { ...step, release: release("1.1.0") })).toEqual(known);
    const [learnt] = desiredHistory([entry("1.1.0", "Completed")], { ...step, release: release("1.1.0", "image-a") });
    expect(learnt?.image).toBe("image-a");
  });

  it("notes what was gone ahead with", () => {
    const [first] = desiredHistory([], {
      release: release("1.0.0"),
      isComplete: false,
      acceptedRisks: "it is new",
      nowMs,
    });
    expect(first?.acceptedRisks).toBe("it is new");
  });

  it("is bounded, and loses first what was given up, and never the first, the latest or the last complete one", () => {
    const full = Array.from({ length: MAXIMUM_HISTORY }, (_, index) =>
      entry(`1.0.${MAXIMUM_HISTORY - index}`, index === 40 || index === 20 || index > 90 ? "Completed" : "Partial"),
    );
    const next = desiredHistory(full, { release: release("2.0.0"), isComplete: false, nowMs });
    expect(next).toHaveLength(MAXIMUM_HISTORY);
    const gone = full.filter((each) => !next.some(({ version }) => version === each.version));
    expect(gone.map(({ version }) => version)).toEqual([full[90]?.version]);
  });
});

test.each<[UpdateHistory[], string]>([
  [[], "installing"],
  [[entry("1.1.0", "Partial")], "installing"],
  [[entry("1.1.0", "Partial"), entry("1.0.0", "Completed")], "updating"],
  [[entry("1.0.0", "Completed")], "updating"],
  [[entry("1.1.0", "Completed")], "reconciling"],
])("after %j the cluster is %s", (history, mode) => {
  expect(modeOf(history, release("1.1.0"))).toBe(mode);
});
