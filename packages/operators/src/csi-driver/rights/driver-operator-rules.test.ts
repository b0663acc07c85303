import type { PolicyRule } from "@stowage/machinery";
import { describe, expect, it, test } from "vitest";
import { driverAssetsOf, readDriverAssets } from "../assets/index.ts";
import type { DriverProfile } from "../driver-profile.ts";
import { driverIds, loadDriverProfile } from "../drivers/index.ts";
import { type DriverOperatorRules, driverOperatorRules } from "./driver-operator-rules.ts";

const allRules = ({ cluster, namespaced }: DriverOperatorRules) => [...cluster, ...Object.values(namespaced).flat()];
const rulesFor = (rules: readonly PolicyRule[], resource: string) =>
  rules.filter(({ resources = [] }) => resources.includes(resource));

describe.each(driverIds)("the operator of %s", (id) => {
  const load = async () => {
    const profile = await loadDriverProfile(id);
    return { profile, rules: driverOperatorRules(profile, readDriverAssets(profile)) };
  };

  it("has no right on everything, and none to take more", async () => {
    const { rules } = await load();
    for (const { apiGroups = [], resources = [], verbs } of allRules(rules)) {
      expect([...apiGroups, ...resources, ...verbs]).not.toContain("*");
      expect(verbs).not.toContain("escalate");
      expect(verbs).not.toContain("impersonate");
      expect(verbs).not.toContain("deletecollection");
    }
  });

  it("reads no Secret outside of the driver's namespace", async () => {
    const { profile, rules } = await load();
    expect(rulesFor(rules.cluster, "secrets")).toEqual([]);
    const places = Object.entries(rules.namespaced).filter(([, own]) => rulesFor(own, "secrets").length > 0);
    expect(places.map(([namespace]) => namespace)).toEqual([profile.namespace]);
  });

  it("changes and deletes only what it knows by name", async () => {
    const { rules } = await load();
    const writes = allRules(rules).filter(({ verbs }) =>
      verbs.some((verb) => ["update", "delete", "bind"].includes(verb)),
    );
    // What it holds to give it on to the driver is as wide as the driver needs it.
    const own = ["deployments", "daemonsets", "csidrivers", "clusterroles", "clusterrolebindings", "serviceaccounts"];
    for (const rule of writes.filter(({ resources = [] }) => own.includes(resources[0] ?? ""))) {
      expect(rule.resourceNames).toBeDefined();
    }
  });

  it("may look at why Pods do not start, whatever kind of workload they are of", async () => {
    const { profile, rules } = await load();
    const podRules = rulesFor(rules.namespaced[profile.namespace] ?? [], "pods");
    expect(podRules.flatMap(({ verbs }) => verbs)).toContain("list");
  });

  it("writes no other ClusterCSIDriver", async () => {
    const { profile, rules } = await load();
    for (const resource of ["clustercsidrivers", "clustercsidrivers/status"]) {
      for (const rule of rulesFor(rules.cluster, resource)) expect(rule.resourceNames).toEqual([profile.driverName]);
    }
  });
});

describe("what assets call for", () => {
  const profile = (rest: Partial<DriverProfile> = {}): DriverProfile => ({
    id: "test",
    driverName: "test.csi",
    conditionPrefix: "Test",
    assetPrefix: "test",
    operatorName: "test-operator",
    namespace: "drivers",
    platform: "None",
    usualImage: "",
    assets: new URL("file:///none/"),
    sidecars: ["Separate"],
    isRemovable: false,
    controller: { secrets: [], configMaps: [] },
    node: { secrets: [], configMaps: [] },
    ...rest,
  });
  const asset = (name: string, object: object) => ({ name, text: JSON.stringify({ apiVersion: "v1", ...object }) });
  const node = asset("node.yaml", { kind: "DaemonSet", metadata: { name: "n", namespace: "${NAMESPACE}" } });
  const csiDriver = asset("csidriver.yaml", { kind: "CSIDriver", metadata: { name: "test.csi" } });
  const of = (assets: Parameters<typeof driverAssetsOf>[0], own = profile()) =>
    driverOperatorRules(own, driverAssetsOf([node, csiDriver, ...assets], "test"));
  const binding = (name: string) =>
    asset("binding.yaml", {
      kind: "ClusterRoleBinding",
      metadata: { name: "b" },
      roleRef: { apiGroup: "", kind: "ClusterRole", name },
    });
  const role = asset("role.yaml", {
    kind: "ClusterRole",
    metadata: { name: "own" },
    rules: [{ apiGroups: ["x"], resources: ["y"], verbs: ["z"] }],
  });

  it("is to bind a role of somebody else by its name", () => {
    const rules = of([binding("foreign")]);
    expect(rulesFor(rules.cluster, "clusterroles")).toEqual([
      {
        apiGroups: ["rbac.authorization.k8s.io"],
        resources: ["clusterroles"],
        resourceNames: ["foreign"],
        verbs: ["bind"],
      },
    ]);
  });

  it("is to have what a role of its own holds, which can then be bound", () => {
    const rules = of([binding("own"), role]);
    expect(rules.cluster).toContainEqual({ apiGroups: ["x"], resources: ["y"], verbs: ["z"] });
    expect(JSON.stringify(rulesFor(rules.cluster, "clusterroles"))).not.toContain("bind");
  });

  test.each([
    ["of a driver that can be removed", profile({ isRemovable: true }), "account.yaml", true],
    ["of a driver that cannot, not", profile(), "account.yaml", false],
    ["of one mode of two", profile({ sidecars: ["Separate", "Combined"] }), "account-combined.yaml", true],
    ["of the only mode, not", profile({ sidecars: ["Combined"] }), "account-combined.yaml", false],
  ])("is to delete what is %s", (_, own, name, expected) => {
    const account = asset(name, { kind: "ServiceAccount", metadata: { name: "a", namespace: "drivers" } });
    const verbs = rulesFor(of([account], own).namespaced["drivers"] ?? [], "serviceaccounts").flatMap(
      (rule) => rule.verbs,
    );
    expect(verbs.includes("delete")).toBe(expected);
  });

  it("is to delete what earlier versions have left, and neither to make it nor to hold what it gives", () => {
    const leftover = { ...binding("foreign"), name: "leftover-binding.yaml" };
    const rules = of([leftover]).cluster;
    expect(rulesFor(rules, "clusterrolebindings")).toEqual([
      {
        apiGroups: ["rbac.authorization.k8s.io"],
        resources: ["clusterrolebindings"],
        resourceNames: ["b"],
        verbs: ["get", "delete"],
      },
    ]);
    expect(JSON.stringify(rules)).not.toContain("foreign");
  });

  it("is to ask for credentials by name, in the namespace of those who hear it, and to know their mode", () => {
    const metadata = { name: "asked", namespace: "credentials" };
    const rules = of([asset("credentials.yaml", { kind: "CredentialsRequest", metadata })]);
    const group = { apiGroups: ["cloudcredential.openshift.io"], resources: ["credentialsrequests"] };
    expect(rules.namespaced["credentials"]).toEqual([
      { ...group, verbs: ["create"] },
      { ...group, resourceNames: ["asked"], verbs: ["get", "list", "watch", "update"] },
    ]);
    expect(rulesFor(rules.cluster, "cloudcredentials").flatMap(({ verbs }) => verbs)).toEqual(["list", "watch"]);
  });

  test.each([
    ["where hooks ask for them", true],
    ["nowhere else", false],
  ])("is to know the cluster's feature gates %s", (_, readsFeatureGates) => {
    expect(rulesFor(of([], profile({ readsFeatureGates })).cluster, "featuregates")).toHaveLength(
      readsFeatureGates ? 1 : 0,
    );
  });

  it("is told when nobody knows it", () => {
    expect(() => of([asset("job.yaml", { kind: "Job", metadata: { name: "j" } })])).toThrow("to keep a Job");
  });
});
