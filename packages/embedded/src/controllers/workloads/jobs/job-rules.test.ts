import type { Job, JobSpec, Pod } from "@stowage/machinery";
import { describe, expect, it, test } from "vitest";
import { at, pod } from "../fixtures/workload-objects.ts";
import { nextRecord, remainingMs } from "./job-backoff.ts";
import { endOf, jobFacts, TRACKING_FINALIZER } from "./job-facts.ts";
import { formatIndexes, INDEX_KEY, parseIndexes, pendingIndexes } from "./job-indexes.ts";
import { podPlan } from "./job-pods.ts";
import { expiryMs } from "./ttl-controller.ts";

const job = (spec: Partial<JobSpec> = {}, status: Job["status"] = {}): Job => ({
  apiVersion: "batch/v1",
  kind: "Job",
  metadata: { name: "work", namespace: "ns", uid: "uid" },
  spec: { parallelism: 1, completions: 1, backoffLimit: 6, template: {}, ...spec },
  status,
});
const worker = (name: string, phase: string, index?: number): Pod => {
  const annotations: Record<string, string> = index === undefined ? {} : { [INDEX_KEY]: String(index) };
  return pod(name, { finalizers: [TRACKING_FINALIZER], annotations }, { status: { phase } as Pod["status"] });
};
const factsOf = (of: Job, pods: readonly Pod[] = [], nowMs = 0) => jobFacts(of, pods, new Set(), nowMs);

describe("indexes", () => {
  test.each([
    [[], ""],
    [[1], "1"],
    [[1, 2], "1,2"],
    [[0, 1, 2, 5, 7, 8], "0-2,5,7,8"],
  ])("%j are written as %s, and read again", (indexes, text) => {
    expect(formatIndexes(new Set(indexes))).toBe(text);
    expect([...parseIndexes(text, 100)]).toEqual(indexes);
  });

  it("that nobody works on are taken from the first on", () => {
    expect(pendingIndexes(new Set([0, 2]), 2, 10)).toEqual([1, 3]);
    expect(pendingIndexes(new Set([0, 2]), 5, 4)).toEqual([1, 3]);
    expect([...parseIndexes("2-9", 4)]).toEqual([2, 3]);
  });
});

describe("which Pods a Job makes and deletes", () => {
  const plan = (of: Job, pods: readonly Pod[] = []) => {
    const { create, delete: gone } = podPlan(factsOf(of, pods));
    return { create: create.length, delete: gone.map(({ metadata }) => metadata.name) };
  };

  it("makes as many at once as may run, and no more than are lacking", () => {
    expect(plan(job({ parallelism: 3, completions: 5 }))).toEqual({ create: 3, delete: [] });
    expect(plan(job({ parallelism: 3, completions: 5 }, { succeeded: 4 }))).toEqual({ create: 1, delete: [] });
  });

  it("deletes all of them while it is suspended", () => {
    expect(plan(job({ suspend: true }), [worker("a", "Running")])).toEqual({ create: 0, delete: ["a"] });
  });

  it("deletes doubles of an index", () => {
    const pods = [worker("a", "Running", 0), worker("b", "Pending", 0)];
    expect(plan(job({ completionMode: "Indexed", parallelism: 2, completions: 2 }), pods).delete).toEqual(["b"]);
  });

  it("counts a Pod once whose finalizer is gone while the copies still have it", () => {
    const done = worker("a", "Succeeded");
    const facts = jobFacts(job({}, { succeeded: 1 }), [done], new Set(["uid-a"]), 0);
    expect(facts.succeeded).toBe(1);
  });
});

describe("how a Job ends", () => {
  const failures = (count: number) => Array.from({ length: count }, (_, index) => worker(`p${index}`, "Failed"));

  it("after more failures than it may have", () => {
    expect(endOf(factsOf(job({ backoffLimit: 2 }), failures(2)))).toBeUndefined();
    expect(endOf(factsOf(job({ backoffLimit: 2 }), failures(3)))).toMatchObject({
      type: "FailureTarget",
      reason: "BackoffLimitExceeded",
    });
  });

  it("when its time is over", () => {
    const late = job({ activeDeadlineSeconds: 10 }, { startTime: at(100) });
    expect(endOf(factsOf(late, [], 109_000))).toBeUndefined();
    expect(endOf(factsOf(late, [], 110_000))?.reason).toBe("DeadlineExceeded");
  });

  it("by a policy, or in spite of failures that it ignores", () => {
    const onPodConditions = [{ type: "DisruptionTarget", status: "True" as const }];
    const disrupted = { ...worker("a", "Failed"), status: { phase: "Failed", conditions: onPodConditions } } as Pod;
    const by = (action: "FailJob" | "Ignore") =>
      job({ backoffLimit: 0, podFailurePolicy: { rules: [{ action, onPodConditions }] } });
    expect(endOf(factsOf(by("FailJob"), [disrupted]))?.message).toBe(
      "Pod ns/a has condition DisruptionTarget matching FailJob rule at index 0",
    );
    expect(endOf(factsOf(by("Ignore"), [disrupted]))).toBeUndefined();
  });
});

describe("after failures", () => {
  const failedAt = (second: number) => pod("a", { creationTimestamp: at(second) });

  it("the next Pod waits twice as long each time", () => {
    const first = nextRecord(undefined, [], [failedAt(100)]);
    expect(remainingMs(first, 100_000)).toBe(10_000);
    const second = nextRecord(first, [], [failedAt(200)]);
    expect(remainingMs(second, 205_000)).toBe(15_000);
    expect(remainingMs(second, 300_000)).toBe(0);
  });

  it("a success begins anew", () => {
    const record = nextRecord(undefined, [], [failedAt(100), failedAt(101)]);
    expect(nextRecord(record, [failedAt(102)], [])).toBeUndefined();
    expect(nextRecord(record, [failedAt(102)], [failedAt(103)])).toEqual({ failures: 1, lastFailureMs: 103_000 });
  });
});

it("a finished Job goes when its time is over", () => {
  const conditions = [{ type: "Complete", status: "True", lastTransitionTime: at(100) }];
  expect(expiryMs(job({ ttlSecondsAfterFinished: 5 }, { conditions }))).toBe(105_000);
  expect(expiryMs(job({ ttlSecondsAfterFinished: 5 }))).toBeUndefined();
  expect(expiryMs(job({}, { conditions }))).toBeUndefined();
});
