import { ManualClock } from "@stowage/machinery/testing";
import { expect, it } from "vitest";
import { AnswerCache } from "./answer-cache.ts";

function bench(limit = 10) {
  const clock = new ManualClock();
  const cache = new AnswerCache<string>(clock, limit);
  const asked: string[] = [];
  const ask = (key: string) =>
    cache.answer(key, async () => {
      asked.push(key);
      return { value: `answer to ${key}`, goodForMs: 1000 };
    });
  return { clock, cache, asked, ask };
}

it("asks again only when the answer is no longer good", async () => {
  const { clock, asked, ask } = bench();
  expect(await ask("a")).toBe("answer to a");
  await clock.advance(999);
  await ask("a");
  expect(asked).toEqual(["a"]);
  await clock.advance(1);
  await ask("a");
  expect(asked).toEqual(["a", "a"]);
});

it("asks once for all who want to know at once", async () => {
  const { asked, ask } = bench();
  await Promise.all([ask("a"), ask("a"), ask("b")]);
  expect(asked).toEqual(["a", "b"]);
});

it("forgets what was not wanted for longest when there is too much", async () => {
  const { cache, asked, ask } = bench(2);
  for (const key of ["a", "b", "a", "c", "a", "b"]) await ask(key);
  expect(asked).toEqual(["a", "b", "c", "b"]);
  expect(cache.size).toBe(2);
});

it("does not remember a failure", async () => {
  const { cache, ask } = bench();
  const failing = cache.answer("a", () => Promise.reject(new Error("nobody there")));
  await expect(failing).rejects.toThrow("nobody there");
  expect(await ask("a")).toBe("answer to a");
});
