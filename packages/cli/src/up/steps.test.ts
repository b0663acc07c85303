import type { KubernetesObject } from "@stowage/machinery";
import { describe, expect, it } from "vitest";
import { upPlatforms } from "./platforms/index.ts";
import { clusterStep, demoSteps, lastStep, stepsTo } from "./steps.ts";

const sinceMs = Date.parse("2026-01-01T00:00:00.500Z");
const isReached = (id: string, objects: readonly object[], nodeCount = 1) =>
  [clusterStep("embedded"), ...stepsTo(upPlatforms.local.driver), ...demoSteps, lastStep]
    .find((step) => step.id === id)
    ?.isDone(objects as KubernetesObject[], { nodeCount, sinceMs });

const conditions = (...types: string[]) => types.map((type) => ({ type, status: "True" }));
const node = (...types: string[]) => ({ metadata: {}, status: { conditions: conditions(...types) } });
const csiNode = (drivers: readonly object[] | null) => ({ metadata: {}, spec: { drivers } });
const running = (startedAt: string) => [{ state: { running: { startedAt } } }];
const pod = (phase: string, ...types: string[]) => ({
  metadata: {},
  status: { phase, conditions: conditions(...types), containerStatuses: running("2026-01-01T00:00:00Z") },
});
const former = { ...pod("Running", "Ready").status, containerStatuses: running("2025-12-31T23:59:59Z") };
const local = { name: "local.csi.stowage.dev" };

describe("a step is reached", () => {
  it.each([
    ["cluster", [node("Ready")], true],
    ["cluster", [node("DiskPressure")], false],
    ["version-operator", [{ metadata: {} }], true],
    ["version-operator", [], false],
    ["driver", [csiNode([local])], true],
    ["driver", [csiNode([{ name: "another" }])], false],
    ["driver", [csiNode(null)], false],
    ["class", [{ metadata: { annotations: { "storageclass.kubernetes.io/is-default-class": "true" } } }], true],
    ["class", [{ metadata: {} }], false],
    ["claim", [{ metadata: {}, status: { phase: "Bound" } }], true],
    ["claim", [{ metadata: {}, status: { phase: "Pending" } }], false],
    ["pod", [pod("Running", "Ready")], true],
    ["pod", [pod("Running")], false],
    ["pod", [{ metadata: {}, status: former }], false],
    ["pod", [{ ...pod("Running", "Ready"), metadata: { deletionTimestamp: "2026-01-01T00:00:00Z" } }], false],
    ["available", [node("Available")], true],
    ["available", [node("Degraded")], false],
  ])("%s with %j: %s", (id, objects, expected) => {
    expect(isReached(id, objects)).toBe(expected);
  });

  it("by every node of the cluster", () => {
    expect(isReached("cluster", [node("Ready"), node()], 2)).toBe(false);
    expect(isReached("cluster", [node("Ready"), node("Ready")], 2)).toBe(true);
    expect(isReached("driver", [csiNode([local])], 2)).toBe(false);
  });
});
