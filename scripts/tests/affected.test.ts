import { describe, expect, it } from "vitest";
import { fitting } from "./affected.ts";
import { Durations } from "./durations.ts";
import { testFileOf } from "./test-file.ts";

const affected = ["slow", "quick", "new"].flatMap((name) => {
  const file = testFileOf(`test/api/${name}.real.test.ts`);
  return file === undefined ? [] : [{ file, why: [] }];
});
const durations = new Durations({ "test/api/slow.real.test.ts": 100, "test/api/quick.real.test.ts": 10 });
const names = (all: readonly { readonly file: { readonly path: string } }[]) =>
  all.map(({ file }) => /api\/(?<name>\w+)/u.exec(file.path)?.groups?.["name"]);

describe("the affected tests that there is time for", () => {
  it.each([
    [370, ["quick", "new", "slow"], []],
    // The longest may have to be run three times; one that was never measured is taken for a minute.
    [369, ["quick", "new"], ["slow"]],
    [190, ["quick", "new"], ["slow"]],
    [189, ["quick"], ["new", "slow"]],
    [29, [], ["quick", "new", "slow"]],
  ])("in %i seconds, shortest first", (seconds, run, left) => {
    const { chosen, leftOut } = fitting(affected, durations, seconds);
    expect([names(chosen), names(leftOut)]).toEqual([run, left]);
  });
});
