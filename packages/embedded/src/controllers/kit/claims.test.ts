import { describe, expect, test } from "vitest";
import { controlledBy, pod, replicaSet } from "../workloads/fixtures/workload-objects.ts";
import { claimDecision } from "./claims.ts";

const owner = replicaSet("owner", 1);
const going = replicaSet("owner", 1, { metadata: { deletionTimestamp: "2026-01-01T00:00:00Z" } });
const own = { ownerReferences: controlledBy("uid-owner") };

describe("what an owner does about an object", () => {
  test.each([
    ["keeps its own that fits", owner, pod("a", own), true, "keep"],
    ["keeps its own also while it goes itself", going, pod("a", own), true, "keep"],
    ["releases its own that no longer fits", owner, pod("a", own), false, "release"],
    ["releases nothing while it goes itself", going, pod("a", own), false, "ignore"],
    ["adopts what fits and has no controller", owner, pod("a"), true, "adopt"],
    ["adopts nothing while it goes itself", going, pod("a"), true, "ignore"],
    ["leaves alone what does not fit", owner, pod("a"), false, "ignore"],
    ["leaves alone what is another's", owner, pod("a", { ownerReferences: controlledBy("other") }), true, "ignore"],
    ["leaves alone what is going", owner, pod("a", { deletionTimestamp: "2026-01-01T00:00:00Z" }), true, "ignore"],
    ["leaves alone what is in another namespace", owner, pod("a", { namespace: "other" }), true, "ignore"],
  ] as const)("%s", (...[, by, object, isMatch, decision]) => {
    expect(claimDecision(by, object, () => isMatch)).toBe(decision);
  });
});
