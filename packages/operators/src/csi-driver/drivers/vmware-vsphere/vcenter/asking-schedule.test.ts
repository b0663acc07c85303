import { describe, expect, it } from "vitest";
import { AskingSchedule } from "./asking-schedule.ts";

const minutes = (count: number) => count * 60_000;

describe("a schedule of questions to vCenter", () => {
  it.each<
    [string, readonly [atMinute: number, key: string, isGood: boolean][], readonly [asked: number, next: number][]]
  >([
    [
      "asks once while nothing changes",
      [
        [0, "a", true],
        [29, "a", true],
      ],
      [
        [1, 30],
        [1, 1],
      ],
    ],
    [
      "asks again when it is time",
      [
        [0, "a", true],
        [30, "a", true],
      ],
      [
        [1, 30],
        [2, 30],
      ],
    ],
    [
      "asks at once about something else",
      [
        [0, "a", true],
        [0, "b", true],
      ],
      [
        [1, 30],
        [2, 30],
      ],
    ],
    [
      "waits twice as long after each failure, and not for ever",
      [
        [0, "a", false],
        [1, "a", false],
        [3, "a", false],
        [7, "a", false],
        [15, "a", false],
        [31, "a", false],
      ],
      [
        [1, 1],
        [2, 2],
        [3, 4],
        [4, 8],
        [5, 16],
        [6, 30],
      ],
    ],
    [
      "begins anew with something else",
      [
        [0, "a", false],
        [1, "a", false],
        [1, "b", false],
      ],
      [
        [1, 1],
        [2, 2],
        [3, 1],
      ],
    ],
  ])("%s", async (_, questions, expected) => {
    let atMs = 0;
    let asked = 0;
    const schedule = new AskingSchedule<boolean>({ monotonicMs: () => atMs }, minutes(30));
    const found: [number, number][] = [];
    for (const [atMinute, key, good] of questions) {
      atMs = minutes(atMinute);
      const ask = async () => {
        asked++;
        return good;
      };
      const { nextInMs } = await schedule.latest({ key, ask, isGood: (answer) => answer });
      found.push([asked, nextInMs / minutes(1)]);
    }
    expect(found).toEqual(expected);
  });

  it("asks again at once when nobody answered", async () => {
    const schedule = new AskingSchedule<boolean>({ monotonicMs: () => 0 }, minutes(30));
    const failing = schedule.latest({ key: "a", ask: () => Promise.reject(new Error("x")), isGood: () => true });
    await expect(failing).rejects.toThrow("x");
    expect(await schedule.latest({ key: "a", ask: async () => true, isGood: () => true })).toMatchObject({
      answer: true,
    });
  });
});
