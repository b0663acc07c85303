import { describe, expect, it } from "vitest";
import { presenceAfter } from "./actual-volumes.ts";
import { PodProgress } from "./pod-progress.ts";
import { kubeletPace, retryWaits } from "./volume-pace.ts";

describe("what is known of a volume after a step failed", () => {
  it.each([
    ["no", "final", false, "no"],
    ["no", "transient", false, "no"],
    ["no", "uncertain", false, "uncertain"],
    ["uncertain", "final", false, "no"],
    ["uncertain", "transient", false, "uncertain"],
    ["uncertain", "final", true, "uncertain"],
    ["yes", "final", false, "yes"],
    ["yes", "uncertain", false, "yes"],
  ] as const)("%s, with a failure that is %s (found: %s): %s", (before, certainty, wasFound, after) => {
    expect(presenceAfter(before, certainty, wasFound)).toBe(after);
  });
});

it("tells how far the volumes of a Pod have come", () => {
  const progress = new PodProgress(["b", "a", "c"]);
  for (const name of ["a", "b"]) progress.processed(name);
  progress.waitsForAttach("b");
  progress.mounted("a");
  expect(progress.message("why")).toBe(
    "Unable to attach or mount volumes: unmounted volumes=[b c], unattached volumes=[b], failed to process volumes=[c]: why",
  );
  progress.attached("b");
  for (const name of ["b", "c"]) progress.mounted(name);
  expect(progress.isDone).toBe(true);
});

it("waits twice as long after each failure, up to two minutes and a bit", () => {
  const waits = retryWaits(kubeletPace);
  const first = Array.from({ length: 10 }, () => waits.next().value);
  expect(first).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 32_000, 64_000, 122_000, 122_000]);
});
