import { readFileSync } from "node:fs";
import type { ClusterRole, Deployment, KubernetesObject, PolicyRule } from "@stowage/machinery";
import { parseManifests } from "@stowage/operator";
import { describe, expect, it } from "vitest";
import { driverOperators, hostedOperatorAssets, runsHosted } from "../driver-operators/index.ts";
import { validatorObjects } from "../populators/index.ts";
import { controlPlaneNamespace } from "./hosted-operator-objects.ts";

const read = (name: string): KubernetesObject[] => {
  const text = readFileSync(new URL(`../../../hosted/${name}`, import.meta.url), "utf8");
  return parseManifests({ name, text });
};
const [management, guest] = [read("management.yaml"), read("guest.yaml")];
const assets = driverOperators.filter(runsHosted).map((entry) => hostedOperatorAssets(entry, controlPlaneNamespace));

const isRole = ({ kind }: KubernetesObject) => kind === "Role" || kind === "ClusterRole";
const rulesOf = (objects: readonly KubernetesObject[]) =>
  objects.filter(isRole).flatMap((object) => (object as ClusterRole).rules ?? []);
/** `delete secrets a in b`: each right alone, to be compared. */
const rightsOf = (objects: readonly KubernetesObject[]): Set<string> =>
  new Set(
    objects.filter(isRole).flatMap((object) => {
      const rules: readonly PolicyRule[] = (object as ClusterRole).rules ?? [];
      return rules.flatMap(({ apiGroups = [], resources = [], resourceNames = [""], verbs }) =>
        apiGroups.flatMap((group) =>
          resources.flatMap((resource) =>
            resourceNames.flatMap((name) =>
              verbs.map((verb) => [verb, group, resource, name, object.metadata.namespace].join(" ")),
            ),
          ),
        ),
      );
    }),
  );
const granting = (objects: readonly KubernetesObject[]) =>
  objects.filter(({ metadata }) => metadata.name === "cluster-storage-operator-grants");

describe("what the storage operator is given beside a hosted control plane", () => {
  it("is in that namespace of the management cluster, and nowhere else there", () => {
    expect(new Set(management.map(({ metadata }) => metadata.namespace))).toEqual(new Set([controlPlaneNamespace]));
    expect(management.map(({ kind }) => kind)).not.toContain("ClusterRole");
  });

  it("is nothing that runs in the guest", () => {
    const kinds = new Set(guest.map(({ kind }) => kind));
    expect([...kinds].toSorted()).toEqual(
      ["ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding", "ServiceAccount"].toSorted(),
    );
  });

  it("has no wildcard, and no way around the check of what it may grant", () => {
    for (const { apiGroups = [], resources = [], verbs } of rulesOf([...management, ...guest])) {
      expect([...apiGroups, ...resources, ...verbs]).not.toContain("*");
      expect(verbs).not.toContain("escalate");
      expect(verbs).not.toContain("impersonate");
    }
  });

  it("is, beside its own, exactly what the operators of drivers and the validator of claims get", () => {
    const beside = assets.flatMap(({ fixed }) => fixed.map(({ object }) => object));
    const inGuest = assets.flatMap((each) => each.guest.map(({ object }) => object));
    expect(rightsOf(granting(management))).toEqual(rightsOf(beside));
    expect(rightsOf(granting(guest))).toEqual(rightsOf([...inGuest, ...validatorObjects()]));
  });

  it("lets it change by name alone what it did not make", () => {
    const own = rulesOf(management.filter(({ metadata }) => metadata.name === "cluster-storage-operator"));
    const unnamed = own.filter(
      ({ verbs, resources = [], resourceNames = [] }) =>
        verbs.some((verb) => ["update", "patch", "delete"].includes(verb)) &&
        resourceNames.length === 0 &&
        !resources.includes("events"),
    );
    expect(unnamed).toEqual([]);
    const reading = own.filter(({ resources = [], verbs }) => resources.includes("secrets") && verbs.includes("get"));
    expect(reading.length).toBeGreaterThan(0);
    for (const { resourceNames = [] } of reading) {
      for (const name of resourceNames) expect(name).toMatch(/-serving-(?:cert|signer)$/u);
    }
  });

  it("runs with the way into the guest and an image for every driver that it can start there", () => {
    const deployment = management.find(({ kind }) => kind === "Deployment") as Deployment;
    const pod = deployment.spec?.template.spec;
    const [container] = pod?.containers ?? [];
    expect(container?.args).toContain("--guest-kubeconfig=/etc/hosted-kubernetes/kubeconfig");
    const mounted = pod?.containers.flatMap(({ volumeMounts = [] }) => volumeMounts.map(({ name }) => name)) ?? [];
    expect(pod?.volumes?.map(({ name }) => name).toSorted()).toEqual([...new Set(mounted)].toSorted());
    const names = container?.env?.map(({ name }) => name);
    for (const { images } of driverOperators.filter(runsHosted)) {
      expect(names).toEqual(expect.arrayContaining(Object.values(images)));
    }
  });
});
