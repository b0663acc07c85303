import { describe, expect, it } from "vitest";
import { scheduleProblem } from "./cron-schedules.ts";

describe("a schedule", () => {
  it.each(["* * * * *", "*/5 1-3 1,15 jan-mar mon", "@daily", "@every 1h30m", "? * * * ?", "TZ=UTC 0 0 * * *"])(
    "%s is one",
    (text) => {
      expect(scheduleProblem(text)).toBeUndefined();
    },
  );

  it.each([
    ["* * * *", "expected exactly 5 fields, found 4: [* * * *]"],
    ["60 * * * *", "end of range (60) above maximum (59): 60"],
    ["* * 0 * *", "beginning of range (0) below minimum (1): 0"],
    ["5-1 * * * *", "beginning of range (5) beyond end of range (1): 5-1"],
    ["*/0 * * * *", "step of range should be a positive number: */0"],
    ["1-2-3 * * * *", "too many hyphens: 1-2-3"],
    ["a * * * *", 'failed to parse int from a: strconv.Atoi: parsing "a": invalid syntax'],
    ["@never", "unrecognized descriptor: @never"],
  ])("%s is none, because of: %s", (text, problem) => {
    expect(scheduleProblem(text)).toBe(problem);
  });
});
