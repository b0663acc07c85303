import { silentLogger } from "@stowage/machinery";
import { describe, expect, it } from "vitest";
import type { Trouble } from "../apply/index.ts";
import { TroubleLog } from "./trouble-log.ts";

const rollout: Trouble = {
  effect: "wait",
  reason: "WorkloadNotAvailable",
  message: "deployment x/y: waiting",
  name: "y",
};
const refusal: Trouble = { effect: "fail", reason: "UpdatePayloadResourceForbidden", message: "forbidden", name: "z" };

function told(...troubles: (Trouble | undefined)[]): string[] {
  const lines: string[] = [];
  const line = (level: string) => (fields: object) => {
    const { reason, message } = fields as Trouble;
    lines.push(`${level} ${reason}: ${message}`);
  };
  const log = new TroubleLog({ ...silentLogger, info: line("info"), warn: line("warn") });
  for (const trouble of troubles) log.note(trouble);
  return lines;
}

describe("the log of what keeps a payload back", () => {
  it("has what is waited for, and warns of what has failed", () => {
    expect(told(rollout, refusal)).toEqual([
      "info WorkloadNotAvailable: deployment x/y: waiting",
      "warn UpdatePayloadResourceForbidden: forbidden",
    ]);
  });

  it("has each once, however often it is looked at, and anew when it comes back", () => {
    expect(told(refusal, refusal)).toHaveLength(1);
    expect(told(refusal, undefined, refusal)).toHaveLength(2);
    expect(told(undefined)).toEqual([]);
  });
});
