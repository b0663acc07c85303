import { StowageError } from "@stowage/machinery";
import { describe, expect, it } from "vitest";
import { GatherReport } from "./gather-report.ts";
import { KnownSecrets } from "./known-secrets.ts";
import { type SummaryInput, summaryDocument, summaryText } from "./summary.ts";

function input(report: GatherReport, rest: Partial<SummaryInput> = {}): SummaryInput {
  return {
    report,
    server: "https://x",
    serverVersion: "v1.36.0",
    stowageVersion: "0.1.0",
    startedAt: "2026-01-01T00:00:00Z",
    tookMs: 1_234,
    since: undefined,
    namespaces: ["a", "b"],
    isStrict: false,
    files: 2,
    bytes: 1_048_576n,
    ...rest,
  };
}

describe("the summary", () => {
  it("begins with what is missing, why, and what to do", () => {
    const report = new GatherReport(new KnownSecrets());
    report.done({ what: "nodes", count: 3, tookMs: 1.5 });
    report.failed("pods in a", new StowageError("REQUEST_TIMEOUT", "GET pods: too late"));
    report.failed("x", new Error("odd"));
    expect(summaryText(input(report))).toMatch(
      /^INCOMPLETE: 2 missing\.\n- pods in a\n {4}GET pods: too late\n {4}next: Check .*\n- x\n {4}odd\n\n3 objects/u,
    );
    expect(summaryDocument(input(report))).toMatchObject({
      isComplete: false,
      bytes: 1_048_576,
      parts: [{ tookMs: 2 }],
    });
  });

  it("says so when nothing is, and what a reader should know", () => {
    const report = new GatherReport(new KnownSecrets());
    report.note("there is no namespace x");
    const text = summaryText(input(report, { since: "60 s", isStrict: true }));
    expect(text).toMatch(/^Complete\.\n/u);
    expect(text).toContain("Logs and events of the last 60 s alone");
    expect(text).toContain("Not all Secrets could be read");
    expect(text).toContain("To know:\n- there is no namespace x");
  });
});
