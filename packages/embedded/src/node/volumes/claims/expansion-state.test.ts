import { type PersistentVolumeClaim, type PersistentVolumeClaimStatus, Quantity } from "@stowage/machinery";
import { describe, expect, it } from "vitest";
import { expansionStep, statusFailed, statusFinished, wantedSize } from "./expansion-state.ts";

const claim = (
  status: PersistentVolumeClaimStatus,
  more: { accessModes?: "ReadWriteMany"[]; annotations?: Record<string, string> } = {},
): PersistentVolumeClaim => ({
  apiVersion: "v1",
  kind: "PersistentVolumeClaim",
  metadata: { name: "one", ...(more.annotations && { annotations: more.annotations }) },
  spec: { accessModes: more.accessModes ?? ["ReadWriteOnce"] },
  status: { capacity: { storage: "1Gi" }, ...status },
});
const size = Quantity.parse("2Gi");
const grown = { capacity: { storage: "2Gi" }, allocatedResources: { storage: "2Gi" } };

describe("what a node has to do about the size of a volume", () => {
  const pending = { allocatedResources: { storage: "2Gi" } };
  it.each([
    ["nobody tells of each step", {}, { kind: "expand", isClaimDone: false, isTracked: false }],
    [
      "it is the node's turn",
      { ...pending, allocatedResourceStatuses: { storage: "NodeResizePending" } },
      { kind: "expand", isClaimDone: false, isTracked: true },
    ],
    [
      "it was interrupted",
      { ...pending, allocatedResourceStatuses: { storage: "NodeResizeInProgress" } },
      { kind: "expand", isClaimDone: false, isTracked: true },
    ],
    [
      "the controller is at it",
      { ...pending, allocatedResourceStatuses: { storage: "ControllerResizeInProgress" } },
      { kind: "wait" },
    ],
    [
      "it was given up",
      { ...pending, allocatedResourceStatuses: { storage: "NodeResizeInfeasible" } },
      { kind: "wait" },
    ],
    ["it was done", grown, { kind: "done" }],
  ] as const)("when %s", (_when, status, step) => {
    expect(expansionStep(claim(status as PersistentVolumeClaimStatus), size)).toEqual(step);
  });

  it("when another node has done its part of a volume that both have", () => {
    expect(expansionStep(claim(grown, { accessModes: ["ReadWriteMany"] }), size)).toEqual({
      kind: "expand",
      isClaimDone: true,
      isTracked: true,
    });
    const annotations = { "volume.kubernetes.io/node-expansion-not-required": "true" };
    expect(expansionStep(claim(grown, { accessModes: ["ReadWriteMany"], annotations }), size)).toEqual({
      kind: "done",
    });
  });

  it("is for the size that was agreed on", () => {
    const volumeSize = Quantity.parse("3Gi");
    expect(wantedSize(claim({ allocatedResources: { storage: "2Gi" } }), volumeSize).toString()).toBe("2Gi");
    expect(wantedSize(claim({}), volumeSize).toString()).toBe("3Gi");
  });
});

describe("what is written into a claim", () => {
  const conditions = [
    { type: "FileSystemResizePending", status: "True" },
    { type: "ModifyingVolume", status: "True" },
  ];

  it("when its volume has its size", () => {
    const status = { conditions, allocatedResourceStatuses: { storage: "NodeResizeInProgress" as const } };
    expect(statusFinished(claim(status), size)).toEqual({
      capacity: { storage: "2Gi" },
      allocatedResourceStatuses: null,
      conditions: [{ type: "ModifyingVolume", status: "True" }],
    });
  });

  it("when it could not get it, once", () => {
    const why = { message: "no space", isInfeasible: false, nowMs: 0 };
    const failed = statusFailed(claim({ conditions }), why);
    const error = {
      type: "NodeResizeError",
      status: "True",
      lastTransitionTime: "1970-01-01T00:00:00Z",
      message: "failed to expand pvc with no space",
    };
    expect(failed).toEqual({ conditions: [...conditions, error] });
    expect(statusFailed(claim({ conditions: [error] }), { ...why, message: "again", isInfeasible: true })).toEqual({
      allocatedResourceStatuses: { storage: "NodeResizeInfeasible" },
      conditions: [error],
    });
  });
});
