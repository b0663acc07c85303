import { describe, expect, it } from "vitest";
import type { FileResult } from "./results.ts";
import { lookAgain } from "./second-look.ts";

const green: FileResult = {
  file: "test/api/green.real.test.ts",
  passed: 2,
  failed: 0,
  skipped: 0,
  seconds: 1,
  failures: [],
};
const failures = [{ test: "it", message: "Error: no" }];
const red: FileResult = { ...green, file: "test/api/red.real.test.ts", passed: 1, failed: 1, failures };

async function look(results: readonly FileResult[], answers: readonly boolean[]) {
  const asked: string[] = [];
  const seen = await lookAgain(results, async (file) => {
    asked.push(file);
    return answers[asked.length - 1] ?? false;
  });
  return { ...seen, asked };
}

describe("a second look at what failed on real components", () => {
  it("is not taken at what is green", async () => {
    expect(await look([green], [])).toEqual({ results: [green], unsteady: [], asked: [] });
  });

  it("calls a file unsteady that passes twice alone, and keeps how it failed", async () => {
    const { results, unsteady, asked } = await look([green, red], [true, true]);
    expect(asked).toEqual([red.file, red.file]);
    expect(unsteady).toEqual([red]);
    expect(results).toEqual([green, { ...red, passed: 2, failed: 0, failures: [] }]);
  });

  it.each([[[false]], [[true, false]]])("leaves a file red that fails once more: %j", async (answers) => {
    const { results, unsteady, asked } = await look([red], answers);
    expect(asked).toHaveLength(answers.length);
    expect([results, unsteady]).toEqual([[red], []]);
  });

  it("leaves a set-up red that failed", async () => {
    const setUp = { ...red, file: "(run)" };
    expect(await look([setUp], [true, true])).toEqual({ results: [setUp], unsteady: [], asked: [] });
  });
});
