import { expect, test } from "vitest";
import { readinessCondition } from "./selinux-readiness-controller.ts";

test.each([
  ["True", "False"],
  ["False", "True"],
  ["Unknown", "True"],
])("conflicts that are %s make an upgrade possible: %s", (conflictsPresent, expected) => {
  expect(readinessCondition({ conflictsPresent }).status).toBe(expected);
});

test("without a report an upgrade is possible, and with a conflict the next step is told", () => {
  expect(readinessCondition(undefined)).toMatchObject({ status: "True" });
  expect(readinessCondition({ conflictsPresent: "True" }).message).toContain("seLinuxChangePolicy: Recursive");
});
