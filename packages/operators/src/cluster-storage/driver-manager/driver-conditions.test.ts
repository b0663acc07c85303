import type { ConditionStatus } from "@stowage/machinery";
import { describe, expect, it } from "vitest";
import { desiredDriverConditions } from "./driver-conditions.ts";

type Said = readonly [type: string, status: ConditionStatus, reason?: string, message?: string];

function told(said: readonly Said[], allowsDisabled = false): Record<string, string> {
  const conditions = said.map(([type, status, reason, message]) => ({
    type,
    status,
    reason,
    message,
    lastTransitionTime: "2026-01-02T03:04:05Z",
  }));
  const stated = desiredDriverConditions({ conditionPrefix: "Foo", conditions, allowsDisabled });
  return Object.fromEntries(
    stated.map(({ type, status, reason = "", message = "" }) => [
      type.replace("FooCSIDriverOperatorCR", ""),
      `${status}/${reason}: ${message}`,
    ]),
  );
}

const waiting = "WaitForOperator: Waiting for Foo operator to report status";

describe("what a driver's operator says, as the Storage has it", () => {
  it("is not available and progressing as long as it says nothing", () => {
    expect(told([])).toEqual({
      Available: `False/${waiting}`,
      Progressing: `True/${waiting}`,
      Degraded: "False/NoData: ",
      Upgradeable: "True/: ",
    });
  });

  it("is as good as the worst of it", () => {
    const said: Said[] = [
      ["AAvailable", "True"],
      ["BAvailable", "False", "Deploying", "no Pod yet"],
      ["AProgressing", "False"],
      ["BProgressing", "True", "Deploying", "1 of 2"],
      ["ADegraded", "False", "AsExpected"],
      ["BDegraded", "True", "SyncError", "refused"],
      ["AUpgradeable", "False", "Old", "not yet"],
    ];
    expect(told(said)).toEqual({
      Available: "False/B_Deploying: BAvailable: no Pod yet",
      Progressing: "True/B_Deploying: BProgressing: 1 of 2",
      Degraded: "True/B_SyncError: BDegraded: refused",
      Upgradeable: "False/A_Old: AUpgradeable: not yet",
    });
  });

  it("is well when all of it is", () => {
    const said: Said[] = [
      ["AAvailable", "True"],
      ["AProgressing", "False"],
      ["ADegraded", "False"],
    ];
    expect(told(said)).toMatchObject({
      Available: "True/AsExpected: All is well",
      Progressing: "False/AsExpected: All is well",
      Degraded: "False/AsExpected: All is well",
    });
  });

  it("takes what nobody knows for unavailable and progressing, and not for degraded", () => {
    const said: Said[] = [
      ["AAvailable", "Unknown"],
      ["AProgressing", "Unknown"],
      ["ADegraded", "Unknown"],
    ];
    expect(told(said)).toMatchObject({
      Available: `False/${waiting}`,
      Progressing: `True/${waiting}`,
      Degraded: "False/A: ",
    });
  });

  it("is available when the driver has no use here, where that is allowed", () => {
    const disabled: Said[] = [["CSIControllerDisabled", "True", "NoShareTypes", "the cloud has none"]];
    expect(told(disabled, true)).toMatchObject({
      Available: "True/DriverDisabled: The CSI driver of Foo is disabled: the cloud has none",
      Progressing: "False/NoData: ",
    });
    expect(told(disabled)).toMatchObject({ Available: `False/${waiting}`, Progressing: `True/${waiting}` });
  });
});
