import { describe, expect, it } from "vitest";
import { paintFor, wrapped } from "./text-layout.ts";

describe("colours", () => {
  it("are for a terminal, unless somebody asked for none", () => {
    expect(paintFor(true, {}).alarming("x")).toBe("\u001B[31mx\u001B[0m");
    expect(paintFor(true, { NO_COLOR: "1" }).alarming("x")).toBe("x");
    expect(paintFor(false, {}).alarming("x")).toBe("x");
  });
});

describe("lines", () => {
  it("end before column 80 and keep their words", () => {
    const text = Array.from({ length: 40 }, (_, index) => `word-${index}`).join(" ");
    const lines = wrapped(text, 4);
    expect(lines.length).toBeGreaterThan(1);
    expect(lines.every((line) => line.length <= 80 && line.startsWith("    word-"))).toBe(true);
    expect(lines.map((line) => line.trim()).join(" ")).toBe(text);
  });

  it("leave a longer word whole", () => {
    expect(wrapped(`a ${"b".repeat(100)} c`, 2)).toEqual(["  a", `  ${"b".repeat(100)}`, "  c"]);
  });
});
