import { expect, it } from "vitest";
import { isNodeReady } from "./readiness.ts";

const node = (status: string, lastHeartbeatTime: string) =>
  JSON.stringify({ status: { conditions: [{ type: "Ready", status, lastHeartbeatTime }] } });

const since = new Date("2026-01-01T10:00:00.900Z");

it.each([
  ["a report of this kubelet", node("True", "2026-01-01T10:00:00Z"), true],
  ["a report from before its start", node("True", "2026-01-01T09:59:59Z"), false],
  ["a report that it is not ready", node("False", "2026-01-01T10:00:05Z"), false],
  ["a node without reports", "{}", false],
])("whether the node is ready, by %s: %3$s", (_, body, answer) => {
  expect(isNodeReady(body, since)).toBe(answer);
});
