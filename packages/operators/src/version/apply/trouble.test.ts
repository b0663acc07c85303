import type { ClusterOperator, ClusterOperatorStatus, KubernetesObject } from "@stowage/machinery";
import { describe, expect, it, test } from "vitest";
import { clusterOperatorTrouble } from "./cluster-operator-health.ts";
import { objectTrouble } from "./object-health.ts";
import { summaryOf, type Trouble } from "./trouble.ts";

const operator = (status?: ClusterOperatorStatus, name = "storage"): ClusterOperator => ({
  apiVersion: "config.openshift.io/v1",
  kind: "ClusterOperator",
  metadata: { name },
  spec: {},
  status,
});

const expected = operator({
  versions: [
    { name: "operator", version: "1.1.0" },
    { name: "driver", version: "2.0.0" },
  ],
});

function actual(conditions: Readonly<Record<string, "True" | "False" | "Unknown">>, ...versions: [string, string][]) {
  return operator({
    conditions: Object.entries(conditions).map(([type, status]) => ({
      type,
      status,
      reason: "Because",
      message: `${type} is ${status}`,
      lastTransitionTime: "",
    })),
    versions: versions.map(([name, version]) => ({ name, version })),
  });
}

const well = { Available: "True", Degraded: "False" } as const;
const newest: [string, string][] = [
  ["operator", "1.1.0"],
  ["driver", "2.0.0"],
];

describe("a ClusterOperator", () => {
  test.each<[string, ClusterOperator | undefined, string | undefined]>([
    ["is done at its versions", actual(well, ...newest), undefined],
    ["is done while it progresses for other reasons", actual({ ...well, Progressing: "True" }, ...newest), undefined],
    [
      "is not available when it is missing",
      undefined,
      "fail Cluster operator storage is not available: nothing is said of it yet",
    ],
    [
      "is not available when it says so",
      actual({ Available: "False" }, ...newest),
      "fail Cluster operator storage is not available: Because: Available is False",
    ],
    [
      "is degraded when it says so",
      actual({ ...well, Degraded: "True" }, ...newest),
      "patience Cluster operator storage is degraded: Because: Degraded is True",
    ],
    [
      "is degraded when it does not know",
      actual({ ...well, Degraded: "Unknown" }, ...newest),
      "patience Cluster operator storage is degraded: Because: Degraded is Unknown",
    ],
    [
      "is waited for until it is at its versions",
      actual(well, ["operator", "1.0.0"]),
      "wait Cluster operator storage is updating versions: driver to 2.0.0, operator from 1.0.0 to 1.1.0",
    ],
  ])("%s", (_what, there, words) => {
    const trouble = clusterOperatorTrouble(expected, there);
    expect(trouble && `${trouble.effect} ${trouble.message}`).toBe(words);
  });
});

describe("an object that was applied", () => {
  const place = { name: "n", namespace: "x", generation: 2 };
  const object = (apiVersion: string, kind: string, more: object) =>
    ({ apiVersion, kind, metadata: place, ...more }) as unknown as KubernetesObject;
  const deadline = { type: "Progressing", status: "False", reason: "ProgressDeadlineExceeded", message: "too slow" };

  test.each<[string, KubernetesObject, string | undefined]>([
    ["is done when nothing is known of its kind", object("v1", "ConfigMap", {}), undefined],
    [
      "is waited for until its controller has seen it",
      object("apps/v1", "Deployment", { spec: { replicas: 1 } }),
      "wait WorkloadNotAvailable",
    ],
    [
      "has failed when Kubernetes says so",
      object("apps/v1", "Deployment", {
        spec: { replicas: 1 },
        status: { observedGeneration: 2, conditions: [deadline] },
      }),
      "fail WorkloadNotProgressing",
    ],
    [
      "is done when it is rolled out",
      object("apps/v1", "Deployment", {
        spec: { replicas: 1 },
        status: { observedGeneration: 2, updatedReplicas: 1, availableReplicas: 1 },
      }),
      undefined,
    ],
    [
      "is waited for on every node",
      object("apps/v1", "DaemonSet", {
        status: { observedGeneration: 2, desiredNumberScheduled: 3, updatedNumberScheduled: 1 },
      }),
      "wait WorkloadNotAvailable",
    ],
    ["is waited for until it is complete", object("batch/v1", "Job", { status: { active: 1 } }), "wait JobNotComplete"],
    ["is done when it is complete", object("batch/v1", "Job", { status: { succeeded: 1 } }), undefined],
    [
      "has failed for good",
      object("batch/v1", "Job", {
        status: { conditions: [{ type: "Failed", status: "True", reason: "DeadlineExceeded" }] },
      }),
      "fail JobFailed",
    ],
    [
      "is not established while its names are another's",
      object("apiextensions.k8s.io/v1", "CustomResourceDefinition", {
        status: { conditions: [{ type: "NamesAccepted", status: "False", message: "taken" }] },
      }),
      "fail UpdatePayloadResourceTypeMissing",
    ],
  ])("%s", (_what, there, expectedTrouble) => {
    const trouble = objectTrouble(there);
    expect(trouble && `${trouble.effect} ${trouble.reason}`).toBe(expectedTrouble);
  });
});

describe("several troubles", () => {
  const unavailable = (name: string) => clusterOperatorTrouble(operator(expected.status, name), undefined) as Trouble;
  const waiting: Trouble = { effect: "wait", reason: "WorkloadNotAvailable", message: "waits", name: "x/d" };

  it("are none when there are none, and one when there is one", () => {
    expect(summaryOf([])).toBeUndefined();
    expect(summaryOf([waiting])).toBe(waiting);
  });

  it("of ClusterOperators are told in one", () => {
    expect(summaryOf([unavailable("b"), unavailable("a")])).toMatchObject({
      reason: "ClusterOperatorsNotAvailable",
      message: "Cluster operators a, b are not available",
      name: "a, b",
    });
  });

  const failed: Trouble = { effect: "fail", reason: "JobFailed", message: "a job has failed", name: "x/j" };

  it("are the worst of them alone", () => {
    expect(summaryOf([waiting, failed])).toBe(failed);
  });

  it("of other kinds are listed when they are as bad", () => {
    expect(summaryOf([failed, waiting, unavailable("a")])).toMatchObject({
      effect: "fail",
      reason: "MultipleErrors",
      message:
        "Multiple errors are preventing progress:\n" +
        "* Cluster operator a is not available: nothing is said of it yet\n* a job has failed",
    });
  });

  it("that only wait are named together", () => {
    const other: Trouble = { ...waiting, name: "x/e" };
    expect(summaryOf([waiting, other])).toMatchObject({ reason: "WorkloadNotAvailable", name: "x/d, x/e" });
  });
});
