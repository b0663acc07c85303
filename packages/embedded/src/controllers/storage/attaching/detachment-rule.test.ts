import { outOfServiceTaint } from "@stowage/machinery";
import { expect, it } from "vitest";
import { node } from "../fixtures/storage-objects.ts";
import { desiredDetachment, UNMOUNT_PATIENCE_MS } from "./detachment-rule.ts";

const well = node("node-1");
const sick = node("node-1", { status: { conditions: [{ type: "Ready", status: "Unknown" }] } });
const down = node("node-1", { spec: { taints: [{ key: outOfServiceTaint, effect: "NoExecute" }] } });
const after = (nowMs: number, isInUse: boolean, of: typeof well | undefined) =>
  desiredDetachment({ isInUse, node: of, sinceMs: 0, nowMs });
const lateMs = UNMOUNT_PATIENCE_MS + 1;

it("detaches what is not mounted any more, and has the node asked once more", () => {
  expect(after(0, false, well)).toEqual({ step: "detach", isForced: false });
  expect(after(0, false, undefined)).toEqual({ step: "detach", isForced: false });
});

it("waits for a node to unmount: for ever when it is well, for six minutes when it is not", () => {
  expect(after(0, true, well)).toEqual({ step: "wait", waitMs: UNMOUNT_PATIENCE_MS + 1 });
  expect(after(lateMs, true, well)).toMatchObject({ step: "wait" });
  expect(after(UNMOUNT_PATIENCE_MS, true, sick)).toEqual({ step: "wait", waitMs: 1 });
  expect(after(lateMs, true, sick)).toEqual({ step: "detach", isForced: true });
  expect(after(lateMs, true, undefined)).toEqual({ step: "detach", isForced: true });
});

it("does not wait for a node that is known to be down", () => {
  expect(after(0, true, down)).toEqual({ step: "detach", isForced: true });
});
