import { stripVTControlCharacters } from "node:util";
import { describe, expect, it } from "vitest";
import { createUpProgress, type ProgressView } from "./up-progress.ts";

function shown(view: Partial<ProgressView>) {
  const said = { out: "", err: "" };
  const terminal = {
    out: (text: string) => void (said.out += text),
    err: (text: string) => void (said.err += text),
  };
  const progress = createUpProgress({
    terminal,
    columns: undefined,
    hasColours: false,
    isJson: false,
    elapsedMs: () => 1_234,
    ...view,
  });
  progress.began({ id: "cluster", text: "the cluster is there" });
  progress.reached({ id: "cluster", text: "the cluster is there" });
  progress.said("and now");
  progress.warned("but");
  progress[Symbol.dispose]();
  return said;
}

describe("what is told of the steps", () => {
  it("is a line each where nobody looks, without colours", () => {
    const { out, err } = shown({});
    expect(out).toBe("");
    expect(err).toMatch(/^ {2}✓ the cluster is there +1\.2 s\nand now\nbut\n$/);
  });

  it("is JSON alone for programs, but for warnings", () => {
    expect(shown({ isJson: true })).toEqual({ out: '{"step":"cluster","seconds":1.234}\n', err: "but\n" });
  });

  it("is live on a terminal, and no line is longer than it", () => {
    const { err } = shown({ columns: 40, hasColours: true });
    expect(err).toContain("… the cluster is there 1.2 s");
    expect(err).toContain("\u001B[32m✓");
    const lines = stripVTControlCharacters(shown({ columns: 24 }).err).split(/[\r\n]/);
    expect(lines.filter((line) => line.startsWith("  ") && line.length >= 24)).toEqual([]);
  });
});
