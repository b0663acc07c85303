import { describe, expect, it, test } from "vitest";
import type { ResizeStatus } from "./claim-sizes.ts";
import { expansionTarget } from "./expansion-target.ts";
import { claimOf, requesting, volumeOf } from "./fixtures/claims.ts";

interface Case {
  readonly requested: string;
  readonly volume: string;
  readonly status?: ResizeStatus;
  readonly allocated?: string;
  readonly hasFailed?: boolean;
  readonly isNodeOnly?: boolean;
  readonly isFileSystemPending?: boolean;
}

function targetOf({ requested, volume, status, allocated, isFileSystemPending, ...facts }: Case): string | undefined {
  const claim = claimOf({
    spec: requesting(requested),
    status: {
      phase: "Bound",
      capacity: { storage: "1Gi" },
      ...(status === undefined ? {} : { allocatedResourceStatuses: { storage: status } }),
      ...(allocated === undefined ? {} : { allocatedResources: { storage: allocated } }),
      ...(isFileSystemPending ? { conditions: [{ type: "FileSystemResizePending", status: "True" }] } : {}),
    },
  });
  const known = { hasFailed: false, isNodeOnly: false, ...facts };
  return expansionTarget(claim, volumeOf({}, { capacity: { storage: volume } }), known)?.toString();
}

describe("the size to expand to, of a volume that is smaller than requested", () => {
  const base = { requested: "3Gi", volume: "1Gi" };
  test.each<[string, Omit<Case, "requested" | "volume">, string | undefined]>([
    ["at first", {}, "3Gi"],
    ["after an expansion that ended", { allocated: "1Gi" }, "3Gi"],
    ["while an earlier one may be under way", { status: "ControllerResizeInProgress", allocated: "2Gi" }, "2Gi"],
    [
      "after the earlier one certainly failed",
      { status: "ControllerResizeInProgress", allocated: "2Gi", hasFailed: true },
      "3Gi",
    ],
    ["when what is under way was not written", { status: "ControllerResizeInProgress" }, "3Gi"],
    [
      "after the driver called the earlier one impossible",
      { status: "ControllerResizeInfeasible", allocated: "5Gi" },
      "3Gi",
    ],
    [
      "while the node has not begun, and the volume lacks what the node is to get",
      { status: "NodeResizePending", allocated: "2Gi" },
      "2Gi",
    ],
    [
      "while the node is at it, and the volume lacks what the node is to get",
      { status: "NodeResizeInProgress", allocated: "2Gi" },
      "2Gi",
    ],
    ["after the node called the earlier one impossible", { status: "NodeResizeInfeasible", allocated: "2Gi" }, "2Gi"],
  ])("%s", (_, facts, target) => {
    expect(targetOf({ ...base, ...facts })).toBe(target);
  });

  test.each(["NodeResizePending", "NodeResizeInProgress"] as const)(
    "is none while the node has %s and the volume is as large as the node is to get",
    (status) => {
      expect(targetOf({ requested: "3Gi", volume: "2Gi", status, allocated: "2Gi" })).toBeUndefined();
    },
  );
});

describe("the size to expand to, of a volume that is as large as requested", () => {
  const base = { requested: "2Gi", volume: "2Gi" };
  test.each<[string, Omit<Case, "requested" | "volume">, string | undefined]>([
    ["is none while the node has not begun", { status: "NodeResizePending", allocated: "2Gi" }, undefined],
    ["is none while the node is at it", { status: "NodeResizeInProgress", allocated: "2Gi" }, undefined],
    [
      "is the same again after the node called it impossible",
      { status: "NodeResizeInfeasible", allocated: "2Gi" },
      "2Gi",
    ],
    [
      "is the request when the node called it impossible and nothing was noted",
      { status: "NodeResizeInfeasible" },
      "2Gi",
    ],
    [
      "is what was begun when its end was not written",
      { status: "ControllerResizeInProgress", allocated: "2Gi" },
      "2Gi",
    ],
    ["is the request when not even the beginning was", { status: "ControllerResizeInProgress" }, "2Gi"],
    ["is what was noted without a status", { allocated: "2Gi" }, "2Gi"],
    ["is the request when nothing is noted", {}, "2Gi"],
    ["is none when nothing is noted but that the node has to do the rest", { isFileSystemPending: true }, undefined],
  ])("%s", (_, facts, target) => {
    expect(targetOf({ ...base, ...facts })).toBe(target);
  });

  it("is what was begun after the request was reduced", () => {
    const reduced = { requested: "2Gi", volume: "5Gi", allocated: "5Gi" };
    expect(targetOf({ ...reduced, status: "ControllerResizeInProgress" })).toBe("5Gi");
    expect(targetOf({ ...reduced, status: "ControllerResizeInfeasible" })).toBe("5Gi");
    expect(targetOf({ ...reduced, status: "NodeResizeInfeasible" })).toBe("5Gi");
    expect(targetOf({ ...reduced, status: "NodeResizePending" })).toBeUndefined();
  });

  it("follows the reduced request when the driver expands on the node alone, where a failure left nothing", () => {
    const failed = { requested: "2Gi", volume: "5Gi", allocated: "5Gi", status: "NodeResizeInfeasible" } as const;
    expect(targetOf({ ...failed, isNodeOnly: true })).toBe("2Gi");
  });
});
