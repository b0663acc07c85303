import type { ClusterOperator, ClusterUpdate, UpdateHistory } from "@stowage/machinery";
import { describe, expect, it, test } from "vitest";
import type { Payload } from "../payload/index.ts";
import { acceptanceOf } from "./acceptance.ts";
import { type UpgradeFacts, upgradeBlock } from "./upgradeable.ts";

const entry = (version: string, state: UpdateHistory["state"] = "Completed"): UpdateHistory => ({
  version,
  state,
  image: "",
  startedTime: "",
  completionTime: null,
  verified: false,
});

const payload = (version: string, previous: string[] = []): Payload => ({
  release: { version, image: "" },
  previous,
  manifests: [],
  hash: "",
});

const block = { reason: "NotReady", message: "storage is not ready" };

describe("a payload is", () => {
  interface Case {
    readonly history: UpdateHistory[];
    readonly version: string;
    readonly isBlocked?: boolean;
    readonly desired?: ClusterUpdate;
  }
  const [blocked, is] = ["PreconditionChecks", "PayloadLoaded"] as const;
  const after = (...versions: string[]) => versions.map((version) => entry(version));

  test.each<[string, Case, string]>([
    ["accepted as the first", { history: [], version: "1.1.0", isBlocked: true }, is],
    ["accepted as the one that is there", { history: after("1.0.0"), version: "1.0.0", isBlocked: true }, is],
    ["accepted when nothing blocks", { history: after("1.0.0"), version: "1.1.0" }, is],
    ["accepted within a minor version", { history: after("1.0.0"), version: "1.0.1", isBlocked: true }, is],
    ["refused between minor versions", { history: after("1.0.0"), version: "1.1.0", isBlocked: true }, blocked],
    ["refused between major versions", { history: after("1.0.0"), version: "2.0.0", isBlocked: true }, blocked],
    [
      "accepted by force",
      { history: after("1.0.0"), version: "1.1.0", isBlocked: true, desired: { version: "1.1.0", force: true } },
      is,
    ],
    [
      "refused when force names nothing",
      { history: after("1.0.0"), version: "1.1.0", isBlocked: true, desired: { force: true } },
      blocked,
    ],
    [
      "refused when another is asked for",
      { history: after("1.0.0"), version: "1.1.0", desired: { version: "1.2.0" } },
      "VerifyPayloadVersion",
    ],
    [
      "refused even by force when another is asked for",
      { history: after("1.0.0"), version: "1.1.0", desired: { version: "1.2.0", force: true } },
      "VerifyPayloadVersion",
    ],
    ["accepted back to the one before", { history: after("1.0.2", "1.0.1"), version: "1.0.1", isBlocked: true }, is],
    ["refused further back", { history: after("1.0.2", "1.0.1"), version: "1.0.0" }, blocked],
    ["refused back to another minor version", { history: after("1.1.0", "1.0.0"), version: "1.0.0" }, blocked],
    ["refused back to nowhere", { history: after("1.1.0"), version: "1.0.0" }, blocked],
  ])("%s", (_what, { history, version, isBlocked, desired }, reason) => {
    const facts = { payload: payload(version), history, desiredUpdate: desired };
    const acceptance = acceptanceOf({ ...facts, block: isBlocked ? block : undefined });
    expect(acceptance.reason).toBe(reason);
    expect(acceptance.isAccepted).toBe(reason === "PayloadLoaded");
    expect(acceptance.message).toContain(`version="${version}"`);
  });

  it("accepted with a remark from a version that it does not name", () => {
    const facts = { history: [entry("1.0.0")], desiredUpdate: undefined, block: undefined };
    expect(acceptanceOf({ ...facts, payload: payload("1.0.2", ["1.0.1"]) }).acceptedRisks).toContain(
      "does not name 1.0.0",
    );
    expect(acceptanceOf({ ...facts, payload: payload("1.0.2", ["1.0.0"]) }).acceptedRisks).toBeUndefined();
  });
});

const operator = (name: string, status?: "True" | "False"): ClusterOperator => ({
  apiVersion: "config.openshift.io/v1",
  kind: "ClusterOperator",
  metadata: { name },
  spec: {},
  status: {
    conditions:
      status === undefined
        ? []
        : [{ type: "Upgradeable", status, reason: "Old", message: "it is old", lastTransitionTime: "" }],
  },
});

describe("what blocks an upgrade", () => {
  const nothing: UpgradeFacts = {
    clusterOperators: [operator("a"), operator("b", "True")],
    overrides: [],
    history: [],
    lingering: [],
  };
  const override = { kind: "Deployment", group: "apps", namespace: "x", name: "y", unmanaged: true };

  test.each<[string, Partial<UpgradeFacts>, string | undefined]>([
    ["is nothing", {}, undefined],
    ["is an operator", { clusterOperators: [operator("a", "False")] }, "Old"],
    ["is an override", { overrides: [override] }, "ClusterVersionOverridesSet"],
    ["is no override that manages", { overrides: [{ ...override, unmanaged: false }] }, undefined],
    ["is an update under way", { history: [entry("1.1.0", "Partial"), entry("1.0.0")] }, "UpdateInProgress"],
    ["is no installation under way", { history: [entry("1.1.0", "Partial")] }, undefined],
    ["is an object that does not go", { lingering: ['job "x/y"'] }, "ResourceDeletesInProgress"],
    ["are several", { clusterOperators: [operator("a", "False")], overrides: [override] }, "MultipleReasons"],
  ])("%s", (_what, facts, reason) => {
    expect(upgradeBlock({ ...nothing, ...facts })?.reason).toBe(reason);
  });

  it("is told by name, in a fixed order", () => {
    const both = upgradeBlock({ ...nothing, clusterOperators: [operator("b", "False"), operator("a", "False")] });
    expect(both?.message).toBe(
      "The cluster should not be upgraded between minor versions, for several reasons:\n" +
        "* Cluster operator a should not be upgraded between minor versions: Old: it is old\n" +
        "* Cluster operator b should not be upgraded between minor versions: Old: it is old",
    );
  });
});
