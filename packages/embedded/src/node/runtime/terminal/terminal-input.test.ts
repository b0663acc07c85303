import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { typeInto } from "./terminal-input.ts";

async function* typed(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

describe("what is typed", () => {
  it.each([
    [["ab", "c\n"], "\u0004"],
    [["abc\r", ""], "\u0004"],
    [[], "\u0004"],
    [["ab", "c"], "\u0004\u0004"],
  ])("of %j is passed on, and its end is typed as %j", async (texts, end) => {
    const terminal = new PassThrough();
    expect(Buffer.from(await typeInto(terminal, typed(...texts))).toString()).toBe(end);
    expect(String(terminal.read() ?? "")).toBe(texts.join(""));
  });
});
