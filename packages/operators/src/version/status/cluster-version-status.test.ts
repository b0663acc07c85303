import type { ClusterVersionStatus } from "@stowage/machinery";
import { describe, expect, it, test } from "vitest";
import type { Trouble } from "../apply/index.ts";
import { desiredClusterVersionStatus, type PayloadProgress, type StatusFacts } from "./cluster-version-status.ts";

const nowMs = Date.parse("2026-01-02T00:00:00Z");
const minutes = (count: number) => count * 60_000;
const accepted = { isAccepted: true, reason: "PayloadLoaded", message: "Payload loaded" } as const;

const begun: PayloadProgress = {
  release: { version: "1.2.3", image: "image" },
  hash: "hash",
  mode: "updating",
  done: 12,
  total: 45,
  isComplete: false,
  trouble: undefined,
  troubleSinceMs: nowMs,
};

function statusOf(progress: Partial<PayloadProgress>, existing?: ClusterVersionStatus): ClusterVersionStatus {
  return desiredClusterVersionStatus(existing, factsOf({ ...begun, ...progress }));
}

function factsOf(progress: PayloadProgress | undefined, more: Partial<StatusFacts> = {}): StatusFacts {
  return { generation: 7, progress, acceptance: accepted, blockBy: () => undefined, nowMs, ...more };
}

function lineOf({ conditions = [] }: ClusterVersionStatus, type: string): string {
  const found = conditions.find((condition) => condition.type === type);
  return [found?.status, found?.reason, found?.message].filter(Boolean).join(" ");
}

const degraded: Trouble = {
  effect: "patience",
  reason: "ClusterOperatorDegraded",
  message: "Cluster operator storage is degraded: Old",
  name: "storage",
};
const waiting: Trouble = { effect: "wait", reason: "ClusterOperatorUpdating", message: "updating", name: "storage" };
const failed: Trouble = {
  effect: "fail",
  reason: "UpdatePayloadResourceForbidden",
  message: 'Could not update deployment "x/y" (3 of 45): forbidden',
  name: "y",
};

describe("Progressing and Failing say", () => {
  test.each<[string, Partial<PayloadProgress>, string, string]>([
    ["that it begins", { done: 0 }, "True Working towards 1.2.3", "False"],
    ["how far it is", {}, "True Working towards 1.2.3: 12 of 45 done (26% complete)", "False"],
    [
      "whom it waits for",
      { trouble: waiting },
      "True ClusterOperatorUpdating Working towards 1.2.3: 12 of 45 done (26% complete), waiting on storage",
      "False",
    ],
    [
      "that it takes long",
      { trouble: waiting, troubleSinceMs: nowMs - minutes(31) },
      "True ClusterOperatorUpdating Working towards 1.2.3: 12 of 45 done (26% complete), " +
        "waiting on storage over 30 minutes which is longer than expected",
      "Unknown SlowClusterOperator waiting on storage over 30 minutes which is longer than expected",
    ],
    [
      "that something is wrong which may pass",
      { trouble: degraded, troubleSinceMs: nowMs - minutes(39) },
      "True ClusterOperatorDegraded Working towards 1.2.3: 12 of 45 done (26% complete), " +
        "waiting up to 40 minutes on storage: Cluster operator storage is degraded: Old",
      "False",
    ],
    [
      "that it has not passed",
      { trouble: degraded, troubleSinceMs: nowMs - minutes(41) },
      "True ClusterOperatorDegraded Unable to apply 1.2.3: wait has exceeded 40 minutes for these operators: storage",
      "True ClusterOperatorDegraded Cluster operator storage is degraded: Old",
    ],
    [
      "that it cannot go on",
      { trouble: failed },
      "True UpdatePayloadResourceForbidden Unable to apply 1.2.3: the server is rejecting updates",
      'True UpdatePayloadResourceForbidden Could not update deployment "x/y" (3 of 45): forbidden',
    ],
    ["that it is complete", { done: 45, isComplete: true }, "False Cluster version is 1.2.3", "False"],
    ["that it is kept", { mode: "reconciling" }, "False Cluster version is 1.2.3", "False"],
    [
      "that it cannot be kept, at once",
      { mode: "reconciling", trouble: degraded },
      "False ClusterOperatorDegraded Error while reconciling 1.2.3: the cluster operator storage is degraded",
      "True ClusterOperatorDegraded Cluster operator storage is degraded: Old",
    ],
    ["nothing of who waits then", { mode: "reconciling", trouble: waiting }, "False Cluster version is 1.2.3", "False"],
  ])("%s", (_what, progress, progressing, failing) => {
    const status = statusOf(progress);
    expect(lineOf(status, "Progressing")).toBe(progressing);
    expect(lineOf(status, "Failing")).toBe(failing);
  });
});

describe("the status", () => {
  it("is available from the first complete version on, also while the next is applied", () => {
    const installing = statusOf({ mode: "installing" });
    expect(lineOf(installing, "Available")).toBe("False");
    const complete = statusOf({ mode: "installing", isComplete: true }, installing);
    expect(lineOf(complete, "Available")).toBe("True Done applying 1.2.3");
    const next = statusOf({ release: { version: "1.3.0", image: "" } }, complete);
    expect(lineOf(next, "Available")).toBe("True Done applying 1.2.3");
  });

  it("says what is to be, which generation was seen, and the hash of the payload", () => {
    const { desired, observedGeneration, versionHash, availableUpdates, history } = statusOf({});
    expect({ desired, observedGeneration, versionHash, availableUpdates }).toEqual({
      desired: { version: "1.2.3", image: "image" },
      observedGeneration: 7,
      versionHash: "hash",
      availableUpdates: null,
    });
    expect(history).toHaveLength(1);
  });

  it("blocks upgrades by the history that is to be, and no longer when nothing does", () => {
    const blockBy: StatusFacts["blockBy"] = ([last]) =>
      last?.state === "Partial" ? { reason: "Busy", message: "busy" } : undefined;
    const busy = desiredClusterVersionStatus(undefined, factsOf(begun, { blockBy }));
    expect(lineOf(busy, "Upgradeable")).toBe("False Busy busy");
    const done = desiredClusterVersionStatus(busy, factsOf({ ...begun, isComplete: true }, { blockBy }));
    expect(lineOf(done, "Upgradeable")).toBe("");
  });

  it("keeps what was said of the cluster when the next payload is not accepted, and says why", () => {
    const before = statusOf({ mode: "reconciling" });
    const acceptance = { isAccepted: false, reason: "PreconditionChecks", message: "storage is old" } as const;
    const after = desiredClusterVersionStatus(before, factsOf(undefined, { acceptance }));
    expect(lineOf(after, "Progressing")).toBe("False Cluster version is 1.2.3");
    expect(lineOf(after, "Failing")).toBe("False");
    expect(lineOf(after, "ReleaseAccepted")).toBe("False PreconditionChecks storage is old");
    expect(after.history).toEqual(before.history);
  });

  it("fails when there is no payload to keep the cluster by", () => {
    const acceptance = { isAccepted: false, reason: "LoadPayload", message: "a.yaml is not YAML" } as const;
    const status = desiredClusterVersionStatus(undefined, factsOf(undefined, { acceptance }));
    expect(lineOf(status, "Failing")).toBe("True UpdatePayloadIntegrity a.yaml is not YAML");
    expect(lineOf(status, "Available")).toBe("False");
    expect(lineOf(status, "Progressing")).toBe("False There is no payload to apply");
  });

  it("is the same when nothing has changed, whatever the time", () => {
    const first = statusOf({ trouble: waiting });
    const later = factsOf({ ...begun, trouble: waiting }, { nowMs: nowMs + minutes(5) });
    expect(desiredClusterVersionStatus(first, later)).toEqual(first);
  });
});
