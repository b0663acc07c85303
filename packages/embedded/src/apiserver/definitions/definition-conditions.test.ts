import type { CustomResourceDefinition } from "@stowage/machinery";
import { describe, expect, it } from "vitest";
import { desiredCleanup } from "./definition-cleanup.ts";
import { cleanupFinalizer, desiredStatus } from "./definition-conditions.ts";

const nowMs = Date.parse("2026-01-01T00:00:00Z");
const names = { plural: "boats", singular: "boat", kind: "Boat", listKind: "BoatList" };

function definition(group = "example.test", annotations?: Record<string, string>): CustomResourceDefinition {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `boats.${group}`, ...(annotations && { annotations }) },
    spec: { group, scope: "Namespaced", names, versions: [{ name: "v1", served: true, storage: true }] },
  };
}

/** Step by step, until nothing is left to do. */
function settled(one: CustomResourceDefinition): CustomResourceDefinition[] {
  const seen = [one];
  for (let status = desiredStatus(one, [], nowMs); status !== undefined; ) {
    const next: CustomResourceDefinition = { ...(seen.at(-1) ?? one), status };
    seen.push(next);
    status = desiredStatus(next, [], nowMs);
  }
  return seen;
}

function summary(one: CustomResourceDefinition | undefined): string[] {
  return (one?.status?.conditions ?? []).map(({ type, status, reason }) => `${type}=${status} ${reason}`);
}

describe("a definition", () => {
  it("has its names accepted first, and is established then", () => {
    const [, first, second, ...rest] = settled(definition());
    expect(summary(first)).toEqual(["NamesAccepted=True NoConflicts", "Established=False Installing"]);
    expect(summary(second)).toEqual(["NamesAccepted=True NoConflicts", "Established=True InitialNamesAccepted"]);
    expect(rest).toEqual([]);
  });

  it("of Kubernetes' own groups is told whether it was approved", () => {
    const approved = settled(definition("a.k8s.io", { "api-approved.kubernetes.io": "https://example.test/1" })).at(-1);
    expect(summary(approved)).toContain("KubernetesAPIApprovalPolicyConformant=True ApprovedAnnotation");
    const refused = settled(definition("a.k8s.io")).at(-1);
    expect(summary(refused)).toContain("KubernetesAPIApprovalPolicyConformant=False MissingAnnotation");
  });

  it("that is deleted waits for its objects, and for nobody when it never had any", () => {
    const served = settled(definition()).at(-1) ?? definition();
    const metadata = { ...served.metadata, deletionTimestamp: "2026-01-01T00:00:00Z", finalizers: [cleanupFinalizer] };
    const going = { ...served, metadata };
    expect(desiredCleanup(served, true)).toEqual({ step: "nothing" });
    const begun = desiredCleanup(going, true);
    expect(begun.step).toBe("begin");
    if (begun.step !== "begin") return;
    const condition = { ...begun.condition, lastTransitionTime: "2026-01-01T00:00:00Z" };
    const conditions = [...(served.status?.conditions ?? []), condition];
    const deleting = { ...going, status: { ...served.status, conditions } };
    expect(desiredCleanup(deleting, true)).toEqual({ step: "delete" });
    expect(desiredCleanup(deleting, false)).toMatchObject({ condition: { reason: "InstanceDeletionCompleted" } });
    const never = { ...deleting, status: { ...served.status, conditions: [condition] } };
    expect(desiredCleanup(never, true)).toMatchObject({ condition: { reason: "NeverEstablished" } });
  });
});
