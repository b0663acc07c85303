import { expect, it } from "vitest";
import { suspendedFunctions } from "./time-limits.ts";

// In a process of its own, with little on the heap.

it("what a test waits for is told by its line", async () => {
  const never = Promise.withResolvers<void>();
  async function helper() {
    await never.promise;
  }
  const waiting = helper();
  const told = await suspendedFunctions();
  expect(told).toContain("test/time-limits.isolated.test.ts: await never.promise;");
  expect(told.join("\n")).not.toContain("test/time-limits.ts");
  never.resolve();
  await waiting;
  expect(await suspendedFunctions()).not.toContain("test/time-limits.isolated.test.ts: await never.promise;");
});
