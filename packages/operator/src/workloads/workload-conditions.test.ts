import type { DaemonSet, Deployment, DeploymentStatus, Pod, PodStatus } from "@stowage/machinery";
import { describe, expect, it, test } from "vitest";
import {
  daemonSetConditions,
  daemonSetProgress,
  stableGenerationAnnotation,
  withStableGeneration,
} from "./daemon-set-conditions.ts";
import {
  availableCondition,
  deploymentFailure,
  deploymentProgress,
  progressingCondition,
} from "./deployment-conditions.ts";
import { podTroubles } from "./pod-troubles.ts";
import { isProgressingTooLong } from "./rollout-time.ts";

function deployment(status: DeploymentStatus = {}): Deployment {
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "controller", namespace: "drivers", generation: 3 },
    spec: { replicas: 2, selector: {}, template: {} },
    status: { observedGeneration: 3, ...status },
  };
}

type Condition = NonNullable<DeploymentStatus["conditions"]>[number];
const rolledOut: Condition = { type: "Progressing", status: "True", reason: "NewReplicaSetAvailable" };
const all = { replicas: 2, updatedReplicas: 2, availableReplicas: 2 };

describe("a Deployment", () => {
  test.each<[string, DeploymentStatus, string | undefined]>([
    ["whose change nobody has seen", { observedGeneration: 2, ...all }, "Waiting for Deployment to act on changes"],
    ["with everything there", all, undefined],
    ["with Pods missing", { ...all, unavailableReplicas: 1 }, "Waiting for Deployment to deploy pods"],
    ["with old Pods", { ...all, updatedReplicas: 1 }, "Waiting for Deployment to update pods"],
    ["with Pods not available yet", { ...all, availableReplicas: 1 }, "Waiting for Deployment to deploy pods"],
    ["that lost Pods after its rollout", { unavailableReplicas: 2, conditions: [rolledOut] }, undefined],
    [
      "that was rolled out before this change",
      { observedGeneration: 2, conditions: [rolledOut] },
      "Waiting for Deployment to act on changes",
    ],
  ])("%s", (_, status, expected) => {
    expect(deploymentProgress(deployment(status))).toBe(expected);
    expect(progressingCondition("X", deployment(status))).toMatchObject({
      type: "XProgressing",
      status: expected === undefined ? "False" : "True",
      reason: expected === undefined ? "AsExpected" : "Deploying",
    });
  });

  test.each([
    [0, "False", "Deploying"],
    [1, "True", "AsExpected"],
    [2, "True", "AsExpected"],
  ])("with %d Pods available is available: %s", (availableReplicas, status, reason) => {
    const condition = availableCondition("X", deployment({ availableReplicas }));
    expect(condition).toMatchObject({ type: "XAvailable", status, reason });
  });

  const late: Condition = { type: "Progressing", status: "False", reason: "ProgressDeadlineExceeded", message: "late" };
  const refused: Condition = { type: "ReplicaFailure", status: "True", reason: "FailedCreate", message: "no quota" };
  test.each<[string, DeploymentStatus, string | undefined]>([
    ["is well", { ...all, conditions: [rolledOut] }, undefined],
    ["is late", { conditions: [late] }, "does not progress: ProgressDeadlineExceeded: late"],
    [
      "has no Pods",
      { conditions: [rolledOut, refused] },
      "has some pods failing (ReplicaFailure): FailedCreate: no quota",
    ],
    ["was late before its last change", { observedGeneration: 2, conditions: [late] }, undefined],
    [
      "has given up",
      {
        replicas: 2,
        conditions: [
          { ...late, reason: "Other" },
          { type: "Available", status: "False" },
        ],
      },
      "is not available and not progressing; updated replicas=0 of 2, available replicas=0 of 2",
    ],
  ])("that %s says so", (_, status, expected) => {
    const which = "deployment drivers/controller ";
    expect(deploymentFailure(deployment(status))).toBe(expected && which + expected);
  });

  test.each([
    ["True", 15 * 60_000, false],
    ["True", 15 * 60_000 + 1, true],
    ["False", 60 * 60_000, false],
  ] as const)("that has been progressing=%s for %d ms is too late: %s", (status, ageMs, expected) => {
    const sinceMs = Date.UTC(2024, 0, 1);
    const lastTransitionTime = "2024-01-01T00:00:00Z";
    const conditions = [{ type: "XProgressing", status, lastTransitionTime }];
    expect(isProgressingTooLong({ conditions }, "X", sinceMs + ageMs)).toBe(expected);
    expect(isProgressingTooLong({ conditions: [] }, "X", sinceMs + ageMs)).toBe(false);
  });
});

function daemonSet(status: object = {}, stable?: string): DaemonSet {
  const numbers = { currentNumberScheduled: 3, numberMisscheduled: 0, numberReady: 3 };
  return {
    apiVersion: "apps/v1",
    kind: "DaemonSet",
    metadata: { name: "node", generation: 4, ...(stable && { annotations: { [stableGenerationAnnotation]: stable } }) },
    spec: { selector: {}, template: {} },
    status: { observedGeneration: 4, desiredNumberScheduled: 3, updatedNumberScheduled: 3, ...numbers, ...status },
  };
}

describe("a DaemonSet", () => {
  test.each<[string, DaemonSet, string | undefined]>([
    ["with everything there", daemonSet(), undefined],
    ["whose change nobody has seen", daemonSet({ observedGeneration: 3 }), "Waiting for DaemonSet to act on changes"],
    ["with old Pods", daemonSet({ updatedNumberScheduled: 1 }), "Waiting for DaemonSet to update 3 node pods"],
    ["with Pods missing", daemonSet({ numberUnavailable: 1 }), "Waiting for DaemonSet to deploy node pods"],
    ["that was stable, with a node restarting", daemonSet({ numberUnavailable: 1 }, "4"), undefined],
    [
      "that was stable before its last change",
      daemonSet({ numberUnavailable: 1 }, "3"),
      "Waiting for DaemonSet to deploy node pods",
    ],
  ])("%s", (_, object, expected) => {
    expect(daemonSetProgress(object)).toBe(expected);
    const [, progressing] = daemonSetConditions("X", object);
    expect(progressing).toMatchObject({ type: "XProgressing", status: expected === undefined ? "False" : "True" });
  });

  it("is available with one Pod", () => {
    expect(daemonSetConditions("X", daemonSet({ numberAvailable: 1 }))[0]).toMatchObject({ status: "True" });
    expect(daemonSetConditions("X", daemonSet())[0]).toMatchObject({ status: "False", reason: "Deploying" });
  });

  test.each<[string, DaemonSet | undefined, string | undefined]>([
    ["is noted when it has become stable", daemonSet(), "4"],
    ["is noted anew after a change", daemonSet({}, "3"), "4"],
    ["is not noted twice", daemonSet({}, "4"), undefined],
    ["is not noted while it rolls out", daemonSet({ numberUnavailable: 1 }), undefined],
    ["is not noted before there is any", undefined, undefined],
  ])("'s generation %s", (_, existing, expected) => {
    const { metadata } = withStableGeneration(daemonSet({}, undefined), existing);
    expect(metadata.annotations?.[stableGenerationAnnotation]).toBe(expected);
  });
});

describe("the trouble of Pods", () => {
  const pod = (status: PodStatus, metadata: object = {}): Pod => ({ apiVersion: "v1", kind: "Pod", metadata, status });
  const container = (rest: object): PodStatus => ({
    containerStatuses: [
      { name: "csi-driver", image: "quay.test/d:1", imageID: "", ready: false, restartCount: 0, ...rest },
    ],
  });
  const ended = { terminated: { exitCode: 2, reason: "Error", message: "password=hunter2" } };

  test.each<[string, PodStatus, string[]]>([
    [
      "that no node takes",
      { conditions: [{ type: "PodScheduled", status: "False", reason: "Unschedulable", message: "0/3 nodes" }] },
      ["1 Pod: Unschedulable: 0/3 nodes"],
    ],
    [
      "whose image cannot be pulled",
      container({ state: { waiting: { reason: "ErrImagePull", message: "changes with each attempt" } } }),
      ["1 Pod: container csi-driver: ImagePullBackOff: quay.test/d:1"],
    ],
    [
      "that keep ending, without what they wrote",
      container({ state: { waiting: { reason: "CrashLoopBackOff", message: "back-off 5m0s" } }, lastState: ended }),
      ["1 Pod: container csi-driver: CrashLoopBackOff: exit code 2 (Error)"],
    ],
    [
      "that run again for a moment",
      container({ state: { running: {} }, lastState: ended }),
      ["1 Pod: container csi-driver: CrashLoopBackOff: exit code 2 (Error)"],
    ],
    [
      "that lack something",
      container({ state: { waiting: { reason: "CreateContainerConfigError", message: 'secret "x" not found' } } }),
      ['1 Pod: container csi-driver: CreateContainerConfigError: secret "x" not found'],
    ],
    ["that were evicted", { phase: "Failed", reason: "Evicted" }, ["1 Pod: Failed: Evicted"]],
    ["that are well after a restart", container({ ready: true, state: { running: {} }, lastState: ended }), []],
    ["that have just begun", {}, []],
  ])("%s", (_, status, expected) => {
    expect(podTroubles([pod(status)])).toEqual(expected);
  });

  it("is told once for all that have it, and not of those that are going", () => {
    const evicted = { phase: "Failed", reason: "Evicted" } as const;
    const going = { deletionTimestamp: "2024-01-01T00:00:00Z" };
    expect(podTroubles([pod(evicted), pod(evicted), pod(evicted, going)])).toEqual(["2 Pods: Failed: Evicted"]);
  });
});
