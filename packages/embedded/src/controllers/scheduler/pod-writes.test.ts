import type { Pod } from "@stowage/machinery";
import { describe, expect, it } from "vitest";
import { pod } from "./fixtures/scheduler-objects.ts";
import { desiredStatusPatch } from "./pod-writes.ts";

const nowMs = Date.UTC(2026, 0, 2);
const refused = { type: "PodScheduled", status: "False", reason: "Unschedulable", message: "no room" } as const;
const since = { lastTransitionTime: "2026-01-01T00:00:00Z" };
const waiting = (status: Pod["status"]) => pod("a", { metadata: { name: "a", generation: 3 }, status });

describe("what is written to a Pod", () => {
  it("is the condition, and where it will be", () => {
    expect(desiredStatusPatch(waiting({}), { condition: refused, nominatedNodeName: "one" }, nowMs)).toEqual({
      status: {
        conditions: [
          { ...refused, observedGeneration: 3, lastProbeTime: null, lastTransitionTime: "2026-01-02T00:00:00Z" },
        ],
        nominatedNodeName: "one",
      },
    });
  });

  it("is nothing when it is there already", () => {
    const status = { conditions: [{ ...refused, ...since, observedGeneration: 3 }], nominatedNodeName: "one" };
    expect(desiredStatusPatch(waiting(status), { condition: refused }, nowMs)).toBeUndefined();
    expect(desiredStatusPatch(waiting(status), { nominatedNodeName: "one" }, nowMs)).toBeUndefined();
    expect(desiredStatusPatch(waiting({}), { nominatedNodeName: "" }, nowMs)).toBeUndefined();
  });

  it("says since when it has been so, whatever it says", () => {
    const status = { conditions: [{ ...refused, ...since, message: "no node" }] };
    expect(desiredStatusPatch(waiting(status), { condition: refused }, nowMs)).toMatchObject({
      status: { conditions: [since] },
    });
  });

  it("takes back what was promised", () => {
    const status = { nominatedNodeName: "one" };
    expect(desiredStatusPatch(waiting(status), { nominatedNodeName: "" }, nowMs)).toEqual({
      status: { nominatedNodeName: null },
    });
  });
});
