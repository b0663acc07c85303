import { CsiError, type GrpcFailureCode } from "@stowage/csi";
import { describe, expect, it } from "vitest";
import { provesNothingTaken } from "./refusal.ts";

const proves = (code: GrpcFailureCode, isRepeated: boolean, failures = 0) =>
  provesNothingTaken(new CsiError(code, "no"), { isRepeated, failures });

describe("a refusal", () => {
  it.each(["INTERNAL", "UNKNOWN", "FAILED_PRECONDITION", "INVALID_ARGUMENT"] as const)(
    "of the first call proves that nothing was taken: %s",
    (code) => expect(proves(code, false)).toBe(true),
  );

  it.each(["UNAVAILABLE", "DEADLINE_EXCEEDED", "CANCELLED", "ABORTED", "RESOURCE_EXHAUSTED"] as const)(
    "is none while the driver may be at work: %s",
    (code) => expect([proves(code, false, 9), proves(code, true, 9)]).toEqual([false, false]),
  );

  it.each(["INTERNAL", "UNKNOWN", "FAILED_PRECONDITION", "PERMISSION_DENIED"] as const)(
    "after a lost answer proves nothing, however often: %s",
    (code) => expect(proves(code, true, 99)).toBe(false),
  );

  it.each(["INVALID_ARGUMENT", "NOT_FOUND", "ALREADY_EXISTS", "OUT_OF_RANGE", "UNIMPLEMENTED"] as const)(
    "after a lost answer is believed the third time in a row, if it finds fault with the request: %s",
    (code) => expect([0, 1, 2].map((failures) => proves(code, true, failures))).toEqual([false, false, true]),
  );

  it("is none when it did not come from the driver", () => {
    expect(provesNothingTaken(new Error("no socket"), { isRepeated: false, failures: 9 })).toBe(false);
  });
});
