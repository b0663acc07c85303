import type { ClusterCSIDriver, OperatorCondition } from "@stowage/machinery";
import { expect, it } from "vitest";
import { oneLine, operatorStatus } from "./operator-status.ts";

const condition = (type: string, status: OperatorCondition["status"], message?: string): OperatorCondition => ({
  type,
  status,
  reason: "Because",
  message,
  lastTransitionTime: "2026-01-01T00:00:00Z",
});

function driver(conditions: OperatorCondition[], managementState: "Managed" | "Unmanaged" | "Removed" = "Managed") {
  const object: ClusterCSIDriver = {
    apiVersion: "operator.openshift.io/v1",
    kind: "ClusterCSIDriver",
    metadata: { name: "csi.example.org" },
    spec: { managementState },
    status: { conditions },
  };
  return operatorStatus(object);
}

const well = [
  condition("NodeAvailable", "True"),
  condition("NodeProgressing", "False"),
  condition("NodeDegraded", "False"),
];

it("is well when all of its controllers are", () => {
  expect(driver(well)).toMatchObject({
    state: "well",
    facts: ["Available=True", "Progressing=False", "Degraded=False"],
  });
});

it("is not well when one of them is degraded, and says which", () => {
  const status = driver([...well, condition("WebhookDegraded", "True", "no\n certificate")]);
  expect(status).toMatchObject({ state: "bad", says: "WebhookDegraded (Because): no certificate" });
  expect(status.facts).toContain("Degraded=True");
});

it("is under way when one of them is", () => {
  expect(driver([...well, condition("OtherProgressing", "True", "rolling out")])).toMatchObject({ state: "working" });
});

it("is off when somebody wanted it so, and bad when it fails all the same", () => {
  expect(driver(well, "Unmanaged")).toMatchObject({ state: "off", says: "Nobody keeps it as it should be." });
  expect(driver(well, "Removed")).toMatchObject({ state: "off", facts: ["Removed"] });
  expect(driver([condition("XDegraded", "True")], "Unmanaged")).toMatchObject({ state: "bad" });
});

it("is unknown when nobody has said anything", () => {
  expect(driver([])).toMatchObject({ state: "unknown" });
});

it("says in one line what would fill a screen", () => {
  expect(oneLine("a\n  b")).toBe("a b");
  expect(oneLine("x".repeat(1000))).toHaveLength(240);
});
