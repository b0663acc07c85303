import type { ReplicaSet } from "@stowage/machinery";
import { describe, expect, it, test } from "vitest";
import { at, deployment, replicaSet } from "../fixtures/workload-objects.ts";
import { countedStatus, isComplete, nextProgressCheckMs, rolloutStatus } from "./deployment-status.ts";
import { oldSetSteps } from "./old-set-steps.ts";
import { scalingPlan } from "./proportions.ts";
import { annotationNames, newSetAnnotations } from "./revisions.ts";
import { newSetReplicas, rolloutLimits } from "./rollout-amounts.ts";

const available = (
  name: string,
  replicas: number,
  availableReplicas = replicas,
  metadata: ReplicaSet["metadata"] = {},
) => replicaSet(name, replicas, { status: { replicas, availableReplicas }, metadata });
const sizes = (steps: readonly { set: ReplicaSet; replicas: number }[]) =>
  steps.map(({ set, replicas }) => `${set.metadata.name}=${replicas}`);

describe("the limits of a rollout", () => {
  test.each([
    [10, { maxSurge: "25%", maxUnavailable: "25%" }, { surge: 3, unavailable: 2 }],
    [1, { maxSurge: 0, maxUnavailable: "1%" }, { surge: 0, unavailable: 1 }],
    [2, { maxSurge: 1, maxUnavailable: 5 }, { surge: 1, unavailable: 2 }],
  ])("of %d replicas with %j are %j", (replicas, rollingUpdate, limits) => {
    expect(rolloutLimits(deployment(replicas, rollingUpdate))).toEqual(limits);
  });
});

describe("a rolling update", () => {
  const web = deployment(10, { maxSurge: 3, maxUnavailable: 2 });

  it("grows the new ReplicaSet as far as there is room", () => {
    expect(newSetReplicas(web, [replicaSet("old", 10)], 0)).toBe(3);
    expect(newSetReplicas(web, [replicaSet("old", 8), replicaSet("new", 3)], 3)).toBe(5);
    expect(newSetReplicas(web, [replicaSet("old", 13)], 0)).toBe(0);
  });

  it("shrinks the old one by what may be missing", () => {
    expect(sizes(oldSetSteps(web, [available("old", 10)], available("new", 3, 0)))).toEqual(["old=8"]);
    expect(sizes(oldSetSteps(web, [available("old", 8)], available("new", 5, 0)))).toEqual([]);
    expect(sizes(oldSetSteps(web, [available("old", 8)], available("new", 5, 3)))).toEqual(["old=5"]);
  });

  it("takes Pods first that do not work anyway, the oldest ReplicaSet first", () => {
    const bad = available("bad", 3, 0, { creationTimestamp: at(5) });
    const good = available("good", 10, 10, { creationTimestamp: at(1) });
    expect(sizes(oldSetSteps(web, [bad, good], available("new", 0)))).toEqual(["bad=0", "good=8"]);
  });
});

describe("scaling in the middle of a rollout", () => {
  const noted = (name: string, replicas: number, most: number) =>
    available(name, replicas, replicas, { annotations: { [annotationNames.maxReplicas]: String(most) } });

  it("shares out in proportion, what is left over to the largest", () => {
    const web = deployment(15, { maxSurge: 3, maxUnavailable: 2 });
    const { steps, isForced } = scalingPlan(web, noted("new", 5, 13), [noted("old", 8, 13)]);
    expect(sizes(steps)).toEqual(["old=11", "new=7"]);
    expect(isForced).toBe(true);
  });

  it("gives all to the only one that has any", () => {
    expect(sizes(scalingPlan(deployment(7), replicaSet("new", 3), [replicaSet("old", 0)]).steps)).toEqual(["new=7"]);
  });

  it("to nothing takes everything", () => {
    const { steps } = scalingPlan(deployment(0), noted("new", 5, 13), [noted("old", 8, 13)]);
    expect(steps.map(({ replicas }) => replicas)).toEqual([0, 0]);
  });
});

describe("the annotations of the new ReplicaSet", () => {
  it("have the revision, and the revisions that it had before", () => {
    const { revision, revisionHistory } = annotationNames;
    expect(newSetAnnotations(deployment(1), {}, 1)).toEqual({ [revision]: "1" });
    const second = newSetAnnotations(deployment(1), { [revision]: "1" }, 3);
    expect(second).toEqual({ [revision]: "3", [revisionHistory]: "1" });
    expect(newSetAnnotations(deployment(1), second, 5)[revisionHistory]).toBe("1,3");
    expect(newSetAnnotations(deployment(1), second, 2)).toEqual(second);
  });
});

describe("the status of a Deployment", () => {
  const fresh = available("new", 2);

  it("is complete when all replicas are new and available", () => {
    const web = { ...deployment(2), metadata: { ...deployment(2).metadata, generation: 3 } };
    const status = countedStatus(web, { fresh, old: [] }, 0);
    expect(isComplete(web, status)).toBe(true);
    expect(isComplete(web, { ...status, observedGeneration: 2 })).toBe(false);
    expect(isComplete(web, countedStatus(web, { fresh, old: [available("old", 1)] }, 0))).toBe(false);
  });

  it("says that it is stuck when the deadline has passed without progress", () => {
    const base = deployment(2);
    const condition = { type: "Progressing", status: "True", reason: "ReplicaSetUpdated", lastUpdateTime: at(100) };
    const stuck = available("new", 2, 0);
    const status = { replicas: 2, updatedReplicas: 2, conditions: [condition] };
    const web = {
      ...base,
      spec: { ...base.spec, progressDeadlineSeconds: 10 } as NonNullable<typeof base.spec>,
      status,
    };
    const reasonAt = (second: number) =>
      rolloutStatus(web, { fresh: stuck, old: [] }, second * 1000).conditions?.find(
        ({ type }) => type === "Progressing",
      )?.reason;
    expect(reasonAt(110)).toBe("ReplicaSetUpdated");
    expect(reasonAt(111)).toBe("ProgressDeadlineExceeded");
    expect(nextProgressCheckMs(web, status, 105_000)).toBe(6_000);
  });
});
