import { CsiError, type GrpcFailureCode } from "@stowage/csi";
import { StowageError } from "@stowage/machinery";
import { ManualClock } from "@stowage/machinery/testing";
import { describe, expect, it } from "vitest";
import { desiredFailureStep, failureMessage, provisioningMessage } from "./failure.ts";
import { SLOW_RETRY_MS, SlowClaims } from "./slow-claims.ts";

const everywhere = { supportsTopology: true, hasSelectedNode: true };

describe("after a failed call", () => {
  it.each<[GrpcFailureCode, boolean, boolean, string]>([
    ["INVALID_ARGUMENT", true, true, "slow"],
    ["INVALID_ARGUMENT", false, false, "slow"],
    ["RESOURCE_EXHAUSTED", true, true, "reschedule"],
    ["RESOURCE_EXHAUSTED", true, false, "retry"],
    ["RESOURCE_EXHAUSTED", false, true, "retry"],
    ["INTERNAL", true, true, "retry"],
    ["DEADLINE_EXCEEDED", true, true, "retry"],
    ["OUT_OF_RANGE", true, true, "retry"],
  ])("with %s (topology %s, node %s) the next step is: %s", (code, supportsTopology, hasSelectedNode, expected) => {
    const error = new CsiError(code, "no");
    expect(desiredFailureStep(error, { supportsTopology, hasSelectedNode })).toBe(expected);
  });

  it("another node is asked for when the planner cannot use this one", () => {
    const error = new StowageError("TOPOLOGY_RESCHEDULE", "no CSINode");
    expect(desiredFailureStep(error, everywhere)).toBe("reschedule");
    expect(desiredFailureStep(error, { ...everywhere, hasSelectedNode: false })).toBe("retry");
    expect(desiredFailureStep(new StowageError("TOPOLOGY_UNKNOWN", "no labels"), everywhere)).toBe("retry");
  });
});

describe("the message", () => {
  it("has the driver's words as the original writes them, and the next step", () => {
    expect(failureMessage(new CsiError("INTERNAL", "boom"))).toBe(
      "rpc error: code = Internal desc = boom. Read the driver's message and its log; the gRPC code says of which kind the failure is.",
    );
  });

  it("says that an invalid claim is tried rarely", () => {
    expect(provisioningMessage("fast", new CsiError("INVALID_ARGUMENT", "bad"), "slow")).toMatch(
      /^Volume provisioning failed with infeasible error\. Retries will be delayed\. failed to provision volume with StorageClass "fast": rpc error: code = InvalidArgument desc = bad\. Correct/,
    );
  });

  it("names the class of the claim", () => {
    expect(provisioningMessage("fast", new Error("hm"), "retry")).toBe(
      'failed to provision volume with StorageClass "fast": hm.',
    );
  });

  it("of anything else is its own", () => {
    expect(failureMessage(new Error("hm"))).toBe("hm.");
    expect(failureMessage("odd!")).toBe("odd!");
  });
});

describe("claims that the driver calls invalid", () => {
  it("wait five minutes, unless their class is another by then", () => {
    const clock = new ManualClock();
    const slow = new SlowClaims(clock);
    expect(slow.remainingMs("claim", "class")).toBe(0);
    slow.add("claim", "class");
    expect(slow.remainingMs("claim", "class")).toBe(SLOW_RETRY_MS);
    expect(SLOW_RETRY_MS).toBe(300_000);
    expect(slow.remainingMs("claim", "class made anew")).toBe(0);
    expect(slow.remainingMs("claim", "class")).toBe(0);
    slow.add("claim", "class");
    slow.forget("claim");
    expect(slow.remainingMs("claim", "class")).toBe(0);
  });
});
