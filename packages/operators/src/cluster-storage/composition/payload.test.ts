import type { ClusterRole, KubernetesObject, PolicyRule } from "@stowage/machinery";
import { describe, expect, it } from "vitest";
import { driverOperators } from "../driver-operators/index.ts";
import { validatorObjects } from "../populators/index.ts";
import { driverOperatorObjects } from "./driver-operator-objects.ts";
import { payloadObjects, rbacObjects } from "./payload.ts";

const bound: PolicyRule = {
  apiGroups: ["rbac.authorization.k8s.io"],
  resources: ["clusterroles"],
  resourceNames: ["view"],
  verbs: ["bind"],
};
const read: PolicyRule = { apiGroups: [""], resources: ["secrets"], verbs: ["get"] };
const rights = { cluster: [bound], namespaced: { "openshift-cluster-csi-drivers": [read] } };

const driverObjects = driverOperators.flatMap((entry) =>
  [...driverOperatorObjects({ entry, rights, patches: [], alerts: [] }).values()].flat(),
);
const input = { entries: driverOperators, driverObjects, version: "1.2.3" };

function rolesIn(objects: readonly KubernetesObject[]): ClusterRole[] {
  return objects.filter(({ kind }) => kind === "ClusterRole" || kind === "Role") as ClusterRole[];
}

describe("the payload of the storage operator", () => {
  it("has an image for every driver that it can start", () => {
    const [deployment] = payloadObjects(input).get("0000_50_cluster-storage-operator_10_deployment.yaml") ?? [];
    const text = JSON.stringify(deployment);
    for (const { images } of driverOperators) {
      for (const variable of Object.values(images)) expect(text).toContain(`"${variable}"`);
    }
    expect(text).toContain(`{"name":"OPERATOR_IMAGE_VERSION","value":"1.2.3"}`);
  });

  it("says in everything that it is for which clusters", () => {
    for (const object of [...payloadObjects(input).values()].flat()) {
      expect(object.metadata.annotations).toMatchObject({
        "include.release.openshift.io/self-managed-high-availability": "true",
        "capability.openshift.io/name": "Storage",
      });
    }
  });
});

describe("the rights of the storage operator", () => {
  const all = rolesIn(rbacObjects(input)).flatMap(({ rules = [] }) => rules);

  it("have no wildcard, and no way around the check of what it may grant", () => {
    for (const { apiGroups = [], resources = [], verbs } of all) {
      expect([...apiGroups, ...resources, ...verbs]).not.toContain("*");
      expect(verbs).not.toContain("escalate");
      expect(verbs).not.toContain("impersonate");
    }
  });

  it("limit what it may bind to roles that it names", () => {
    const binding = all.filter(({ verbs }) => verbs.includes("bind"));
    const names = binding.map(({ resources = [], resourceNames = [] }) => [...resources, ...resourceNames].join(" "));
    // Those of the payload, and what the operators of drivers bind.
    expect(names).toEqual([
      "clusterroles vsphere-problem-detector-operator-clusterrole",
      "roles vsphere-problem-detector-operator-role",
      "roles vsphere-problem-detector-operator-role",
      "clusterroles view",
    ]);
  });

  it("are, beside its own, exactly what the operators of drivers and the validator of claims get", () => {
    const granted = rolesIn(rbacObjects(input)).filter(
      ({ metadata }) => metadata.name === "cluster-storage-operator-grants",
    );
    const given = rolesIn([...driverObjects, ...validatorObjects()]);
    const placed = (roles: readonly ClusterRole[]) =>
      roles.flatMap(({ metadata, rules = [] }) => rules.map((rule) => ({ namespace: metadata.namespace, rule })));
    for (const each of placed(given)) expect(placed(granted)).toContainEqual(each);
    for (const each of placed(granted)) expect(placed(given)).toContainEqual(each);
  });

  it("let nobody read a Secret that is not a serving certificate, but the login that the problem detector restarts for", () => {
    const own = rolesIn(rbacObjects(input)).filter(({ metadata }) => metadata.name === "cluster-storage-operator");
    const reading = own
      .flatMap(({ rules = [] }) => rules)
      .filter(({ resources = [], verbs }) => resources.includes("secrets") && verbs.some((verb) => verb !== "create"));
    expect(reading.length).toBeGreaterThan(0);
    for (const { resourceNames = [] } of reading) {
      expect(resourceNames.length).toBeGreaterThan(0);
      for (const name of resourceNames) {
        expect(name).toMatch(/-serving-(?:cert|signer)$|^vsphere-cloud-credentials$/u);
      }
    }
  });
});
