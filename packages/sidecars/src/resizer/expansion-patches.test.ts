import { Quantity } from "@stowage/machinery";
import { describe, expect, it, test } from "vitest";
import {
  expandedPatch,
  expandingPatch,
  expansionErrorPatch,
  grownVolumePatch,
  nodePendingPatch,
  uncertainPatch,
  withoutPreResizeCapacity,
} from "./expansion-patches.ts";
import { claimOf, volumeOf } from "./fixtures/claims.ts";

const NOW = Date.UTC(2026, 0, 31, 15, 4, 5);
const NOW_TEXT = "2026-01-31T15:04:05Z";
const EARLIER = "2026-01-30T00:00:00Z";
const notRequired = "volume.kubernetes.io/node-expansion-not-required";
const preResize = "volume.alpha.kubernetes.io/pre-resize-capacity";
const gi = (count: number) => Quantity.parse(`${count}Gi`);
/** As it goes over the wire. */
const wire = (patch: { patch: object } | undefined) => patch && (JSON.parse(JSON.stringify(patch.patch)) as object);

const resizing = { type: "Resizing", status: "True", lastTransitionTime: EARLIER };
const failed = { type: "ControllerResizeError", status: "True", message: "old", lastTransitionTime: EARLIER };
const modifying = { type: "ModifyingVolume", status: "True", lastTransitionTime: EARLIER };
const bound = { phase: "Bound", capacity: { storage: "1Gi" } } as const;

describe("before an expansion", () => {
  it("the claim is told the size, the state and that it is resizing, for this version alone", () => {
    expect(wire(expandingPatch(claimOf(), gi(2), NOW))).toEqual({
      metadata: { resourceVersion: "7" },
      status: {
        conditions: [{ type: "Resizing", status: "True", lastTransitionTime: NOW_TEXT }],
        allocatedResources: { storage: "2Gi" },
        allocatedResourceStatuses: { storage: "ControllerResizeInProgress" },
      },
    });
  });

  it("what was said of an earlier size is taken back, and what others said stays", () => {
    const conditions = [modifying, failed, { ...failed, type: "NodeResizeError" }];
    const claim = claimOf({
      metadata: { annotations: { [notRequired]: "true" } },
      status: { ...bound, conditions, allocatedResources: { storage: "5Gi" } },
    });
    expect(wire(expandingPatch(claim, gi(2), NOW))).toMatchObject({
      metadata: { annotations: { [notRequired]: null } },
      status: {
        conditions: [
          { type: "Resizing" },
          { $patch: "delete", type: "ControllerResizeError" },
          { $patch: "delete", type: "NodeResizeError" },
        ],
      },
    });
  });

  it("nothing is written again for the same size, so that the error of the last try stays", () => {
    const status = { ...bound, conditions: [resizing, failed], allocatedResources: { storage: "2048Mi" } };
    expect(expandingPatch(claimOf({ status }), gi(2), NOW)).toBeUndefined();
  });
});

describe("after an expansion", () => {
  const status = {
    ...bound,
    conditions: [resizing, failed, modifying],
    allocatedResources: { storage: "2Gi" },
    allocatedResourceStatuses: { storage: "ControllerResizeInProgress" as const },
  };

  it("the claim waits for the node, in the words that users know", () => {
    expect(wire(nodePendingPatch(claimOf({ status }), NOW))).toEqual({
      metadata: { resourceVersion: "7" },
      status: {
        conditions: [
          {
            type: "FileSystemResizePending",
            status: "True",
            message: "Waiting for user to (re-)start a pod to finish file system resize of volume on node.",
            lastTransitionTime: NOW_TEXT,
          },
        ],
        allocatedResourceStatuses: { storage: "NodeResizePending" },
      },
    });
  });

  it("the claim has its size, and kubelet is told to leave it alone, when the node has nothing to do", () => {
    expect(wire(expandedPatch(claimOf({ status }), gi(2)))).toEqual({
      metadata: { resourceVersion: "7", annotations: { [notRequired]: "true" } },
      status: {
        capacity: { storage: "2Gi" },
        conditions: [
          { $patch: "delete", type: "Resizing" },
          { $patch: "delete", type: "ControllerResizeError" },
        ],
        allocatedResourceStatuses: { storage: null },
      },
    });
  });

  const isTwoGi = { spec: { capacity: { storage: "2Gi" } } };
  const noting = (capacity: string) => ({ metadata: { annotations: { [preResize]: capacity } } });

  test.each([
    ["the new size", volumeOf(), undefined, isTwoGi],
    [
      "the new size, and what the claim has until the node is done",
      volumeOf(),
      gi(1),
      { ...isTwoGi, ...noting("1Gi") },
    ],
    ["the new size, and keeps what is noted", volumeOf(noting("512Mi").metadata), gi(1), isTwoGi],
    ["nothing that it says already", volumeOf(noting("1Gi").metadata, isTwoGi.spec), gi(1), undefined],
  ])("the volume is told %s", (_, volume, before, expected) => {
    expect(wire(grownVolumePatch(volume, gi(2), before))).toEqual(expected);
  });

  test.each([
    [
      "has it noted and the claim has it all",
      { [preResize]: "1Gi" },
      "2Gi",
      { metadata: { annotations: { [preResize]: null } } },
    ],
    ["has it noted and the claim lacks some", { [preResize]: "1Gi" }, "1Gi", undefined],
    ["has nothing noted", {}, "2Gi", undefined],
  ])(
    "when the volume %s, the note of the earlier size is cleaned up accordingly",
    (_, annotations, capacity, expected) => {
      const claim = claimOf({ status: { phase: "Bound", capacity: { storage: capacity } } });
      const volume = volumeOf({ annotations }, { capacity: { storage: "2Gi" } });
      expect(wire(withoutPreResizeCapacity(claim, volume))).toEqual(expected);
    },
  );
});

describe("a failed expansion", () => {
  const status = {
    ...bound,
    conditions: [resizing],
    allocatedResourceStatuses: { storage: "ControllerResizeInProgress" as const },
  };

  it("is written whatever version the claim has, and leaves the state open when another try may help", () => {
    const patch = expansionErrorPatch(claimOf({ status }), { message: "no", isInfeasible: false }, NOW);
    expect(wire(patch)).toEqual({
      status: {
        conditions: [{ type: "ControllerResizeError", status: "True", message: "no", lastTransitionTime: NOW_TEXT }],
      },
    });
  });

  it("makes the state infeasible when the driver says that it is", () => {
    const patch = expansionErrorPatch(claimOf({ status }), { message: "no", isInfeasible: true }, NOW);
    expect(wire(patch)).toMatchObject({
      status: { allocatedResourceStatuses: { storage: "ControllerResizeInfeasible" } },
    });
  });

  it("of unknown outcome makes the state open again", () => {
    const infeasible = { ...bound, allocatedResourceStatuses: { storage: "ControllerResizeInfeasible" as const } };
    expect(wire(uncertainPatch(claimOf({ status: infeasible })))).toEqual({
      status: { allocatedResourceStatuses: { storage: "ControllerResizeInProgress" } },
    });
    expect(uncertainPatch(claimOf({ status }))).toBeUndefined();
  });
});
