import type { KubernetesObject, PolicyRule } from "@stowage/machinery";
import { describe, expect, it } from "vitest";
import type { Payload } from "../payload/index.ts";
import { versionOperatorRules } from "./version-operator-rules.ts";

const object = (type: string, name: string, more: object = {}): KubernetesObject => {
  const [apiVersion = "", kind = ""] = type.split(" ");
  return { apiVersion, kind, metadata: { name, namespace: "x" }, ...more };
};
const marked = (annotation: string) => ({
  metadata: { name: annotation, annotations: { [`release.openshift.io/${annotation}`]: "true" } },
});

const rbac = "rbac.authorization.k8s.io/v1";
const payload: Payload = {
  release: { version: "1.0.0", image: "" },
  previous: [],
  hash: "",
  manifests: [
    object("v1 ConfigMap", "a"),
    object("v1 ServiceAccount", "", marked("delete")),
    object("v1 ServiceAccount", "", marked("create-only")),
    object(`${rbac} ClusterRole`, "r", { rules: [{ apiGroups: ["*"], resources: ["*"], verbs: ["*"] }] }),
    object(`${rbac} RoleBinding`, "b", { roleRef: { kind: "Role", name: "theirs" } }),
    object("networking.k8s.io/v1 NetworkPolicy", "p"),
    object("apiextensions.k8s.io/v1 CustomResourceDefinition", "oxen.test", {
      spec: { group: "test", names: { kind: "Ox", plural: "oxen" } },
    }),
    object("test/v1 Ox", "o"),
    object("config.openshift.io/v1 ClusterOperator", "storage"),
  ].map((each, index) => ({ file: `${index}.yaml`, object: each })),
};

const lines = (rules: readonly PolicyRule[]) =>
  rules.map(
    ({ apiGroups = [], resources = [], resourceNames, verbs }) =>
      `${verbs.join(",")} ${resources.join()}.${apiGroups.join()}${resourceNames === undefined ? "" : ` ${resourceNames.join()}`}`,
  );

describe("what the version operator may do for a payload", () => {
  const { cluster, namespaced } = versionOperatorRules(payload);

  it("is by name but for what cannot be", () => {
    const unnamed = cluster.filter(({ resourceNames }) => resourceNames === undefined);
    for (const { verbs } of unnamed) expect(["create", "list", "watch"]).toEqual(expect.arrayContaining(verbs));
    expect(lines(cluster)).toEqual(
      expect.arrayContaining([
        "get,update,delete configmaps. a",
        "get,delete serviceaccounts. delete",
        "get serviceaccounts. create-only",
        "get,update networkpolicies.networking.k8s.io p",
        "get,update oxen.test o",
        "list,watch,create clusteroperators.config.openshift.io",
        "get,patch clusteroperators.config.openshift.io storage",
        "update clusterversions/status.config.openshift.io version",
      ]),
    );
    expect(lines(namespaced)).toEqual([
      "create leases.coordination.k8s.io",
      "get,watch,update leases.coordination.k8s.io version",
      "create,patch events.",
    ]);
  });

  it("has none of the rights that the payload's roles give, but may give them to these roles", () => {
    expect(
      cluster.flatMap(({ apiGroups = [], resources = [], verbs }) => [...apiGroups, ...resources, ...verbs]),
    ).not.toContain("*");
    expect(lines(cluster)).toEqual(
      expect.arrayContaining([
        "get,update,escalate clusterroles.rbac.authorization.k8s.io r",
        "bind roles.rbac.authorization.k8s.io theirs",
      ]),
    );
  });
});
