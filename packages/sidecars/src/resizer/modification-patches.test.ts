import { CsiError } from "@stowage/csi";
import type { PersistentVolumeClaimCondition } from "@stowage/machinery";
import { describe, expect, it, test } from "vitest";
import { claimOf, volumeOf } from "./fixtures/claims.ts";
import {
  cancelledPatch,
  modifiedPatch,
  modifiedVolumePatch,
  modifyErrorPatch,
  modifyingPatch,
  pendingPatch,
} from "./modification-patches.ts";

const NOW = Date.UTC(2026, 0, 31, 15, 4, 5);
const now = "2026-01-31T15:04:05Z";
const earlier = "2026-01-30T00:00:00Z";
const modifying = { type: "ModifyingVolume", status: "True", message: "old", lastTransitionTime: earlier };
const failed = { type: "ModifyVolumeError", status: "True", reason: "Internal", lastTransitionTime: earlier };
const others = { type: "Resizing", status: "True" };

const underWay = (conditions: PersistentVolumeClaimCondition[] = [modifying]) =>
  claimOf({
    status: {
      phase: "Bound",
      conditions,
      modifyVolumeStatus: { status: "InProgress", targetVolumeAttributesClassName: "gold" },
    },
  });

describe("a claim whose class is changed", () => {
  it("is pending, once, while the class does not exist", () => {
    expect(pendingPatch(claimOf())?.patch).toEqual({
      metadata: { resourceVersion: "7" },
      status: { modifyVolumeStatus: { status: "Pending" } },
    });
    expect(
      pendingPatch(claimOf({ status: { phase: "Bound", modifyVolumeStatus: { status: "Pending" } } })),
    ).toBeUndefined();
  });

  it("names the class before the driver is called", () => {
    expect(modifyingPatch(claimOf(), "gold", NOW).patch).toEqual({
      metadata: { resourceVersion: "7" },
      status: {
        modifyVolumeStatus: { status: "InProgress", targetVolumeAttributesClassName: "gold" },
        conditions: [
          {
            type: "ModifyingVolume",
            status: "True",
            message: 'Modifying volume to "gold" is in progress.',
            lastProbeTime: now,
            lastTransitionTime: now,
          },
        ],
      },
    });
  });

  test.each([
    ["INVALID_ARGUMENT", "Infeasible", "InvalidArgument", "failed. Waiting for retry."],
    ["INTERNAL", "InProgress", "Internal", "failed. Waiting for retry."],
    ["OUT_OF_RANGE", "InProgress", "OutOfRange", "failed. Waiting for retry."],
    ["DEADLINE_EXCEEDED", "InProgress", "DeadlineExceeded", "is still in progress."],
    ["RESOURCE_EXHAUSTED", "InProgress", "ResourceExhausted", "is still in progress."],
  ] as const)("after %s is %s, with the reason %s, and says that it %s", (code, status, reason, state) => {
    expect(modifyErrorPatch(underWay(), new CsiError(code, "no iops"), NOW).patch).toEqual({
      metadata: { resourceVersion: "7" },
      status: {
        modifyVolumeStatus: { status },
        conditions: [
          {
            type: "ModifyingVolume",
            status: "True",
            message: `Modifying volume to "gold" ${state}`,
            lastProbeTime: now,
            lastTransitionTime: earlier,
          },
          {
            type: "ModifyVolumeError",
            status: "True",
            reason,
            message: "no iops",
            lastProbeTime: now,
            lastTransitionTime: now,
          },
        ],
      },
    });
  });

  it("keeps the time of an error that is the same again", () => {
    const patch = modifyErrorPatch(underWay([modifying, failed]), new CsiError("INTERNAL", "again"), NOW);
    expect(patch.patch).toMatchObject({
      status: { conditions: [{}, { lastTransitionTime: earlier, lastProbeTime: now }] },
    });
  });

  it("has the class in the end, and nothing about the way there", () => {
    expect(modifiedPatch(underWay([modifying, others, failed]), "gold").patch).toEqual({
      status: {
        modifyVolumeStatus: null,
        currentVolumeAttributesClassName: "gold",
        conditions: [
          { $patch: "delete", type: "ModifyingVolume" },
          { $patch: "delete", type: "ModifyVolumeError" },
        ],
      },
    });
  });

  it("does not say that it is being changed after the change was cancelled", () => {
    expect(cancelledPatch(underWay([modifying, failed]))?.patch).toEqual({
      status: { conditions: [{ $patch: "delete", type: "ModifyingVolume" }] },
    });
    expect(cancelledPatch(underWay([failed]))).toBeUndefined();
  });

  it("has a volume that names the class too", () => {
    expect(modifiedVolumePatch(volumeOf(), "gold")?.patch).toEqual({ spec: { volumeAttributesClassName: "gold" } });
    expect(modifiedVolumePatch(volumeOf({}, { volumeAttributesClassName: "gold" }), "gold")).toBeUndefined();
  });
});
