import type { PersistentVolumeClaim, StatefulSet } from "@stowage/machinery";
import { describe, expect, it, test } from "vitest";
import { pod } from "../fixtures/workload-objects.ts";
import { areOwnersRight, desiredClaimOwners, isStale } from "./claim-retention.ts";
import { desiredPod, hasIdentity, hasOldTemplate, hasStorage, memberOf } from "./stateful-pod.ts";
import { completedStatus } from "./stateful-status.ts";

type Policy = NonNullable<StatefulSet["spec"]>["persistentVolumeClaimRetentionPolicy"];

function set(more: Partial<NonNullable<StatefulSet["spec"]>> = {}): StatefulSet {
  const volumeClaimTemplates = [{ metadata: { name: "data" } }] as PersistentVolumeClaim[];
  return {
    apiVersion: "apps/v1",
    kind: "StatefulSet",
    metadata: { name: "db", namespace: "ns", uid: "uid-db" },
    spec: {
      replicas: 2,
      selector: {},
      serviceName: "db",
      template: { spec: { containers: [] } },
      volumeClaimTemplates,
      ...more,
    },
  };
}

describe("a member", () => {
  it("has a name, claims and a host of its own", () => {
    const made = desiredPod(set(), "db-hash", 3);
    expect(made.metadata.name).toBe("db-3");
    expect(made.spec).toMatchObject({ hostname: "db-3", subdomain: "db" });
    expect(made.spec?.volumes).toEqual([{ name: "data", persistentVolumeClaim: { claimName: "data-db-3" } }]);
    expect(hasIdentity(set(), made) && hasStorage(set(), made)).toBe(true);
  });

  test.each([
    ["db-3", { parent: "db", ordinal: 3 }],
    ["a-b-12", { parent: "a-b", ordinal: 12 }],
    ["db", undefined],
    ["db-x", undefined],
  ])("is told by its name: %s", (name, member) => {
    expect(memberOf(pod(name))).toEqual(member);
  });

  it("under the partition has the old template", () => {
    const partitioned = set({
      updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: 2 } },
      ordinals: { start: 5 },
    });
    expect([5, 6, 7].map((ordinal) => hasOldTemplate(partitioned, ordinal))).toEqual([true, true, false]);
  });
});

describe("a claim goes with", () => {
  const claim = (...owners: string[]): PersistentVolumeClaim => ({
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: {
      name: "data-db-1",
      ownerReferences: owners.map((uid) => ({ apiVersion: "v1", kind: "Pod", name: "db-1", uid, controller: true })),
    },
  });
  const kinds = (policy: Policy, ordinal: number) => {
    const owners = { set: set({ persistentVolumeClaimRetentionPolicy: policy }), pod: pod(`db-${ordinal}`) };
    return desiredClaimOwners(claim(), owners).map(({ kind }) => kind);
  };
  test.each<[string, Policy, number, string[]]>([
    ["nobody", { whenDeleted: "Retain", whenScaled: "Retain" }, 1, []],
    ["the set", { whenDeleted: "Delete", whenScaled: "Retain" }, 1, ["StatefulSet"]],
    ["the set, also when its Pod is scaled away", { whenDeleted: "Delete", whenScaled: "Retain" }, 4, ["StatefulSet"]],
    ["nobody as long as its Pod is wanted", { whenDeleted: "Retain", whenScaled: "Delete" }, 1, []],
    ["its Pod when that is scaled away", { whenDeleted: "Retain", whenScaled: "Delete" }, 4, ["Pod"]],
    ["its Pod rather than the set", { whenDeleted: "Delete", whenScaled: "Delete" }, 4, ["Pod"]],
  ])("%s", (_, policy, ordinal, owners) => {
    expect(kinds(policy, ordinal)).toEqual(owners);
  });

  it("a Pod of the same name that is gone, and is left to it", () => {
    const stale = claim("uid-of-before");
    expect(isStale(stale, pod("db-1"))).toBe(true);
    expect(areOwnersRight(stale, { set: set(), pod: pod("db-1") })).toBe(true);
  });
});

it("when all Pods have the new template it is the current one", () => {
  const rolling = set({ updateStrategy: { type: "RollingUpdate" } });
  const status = {
    replicas: 2,
    readyReplicas: 2,
    updatedReplicas: 2,
    currentReplicas: 0,
    currentRevision: "a",
    updateRevision: "b",
  };
  expect(completedStatus(rolling, status)).toMatchObject({ currentReplicas: 2, currentRevision: "b" });
  expect(completedStatus(rolling, { ...status, readyReplicas: 1 })).toMatchObject({ currentRevision: "a" });
});
