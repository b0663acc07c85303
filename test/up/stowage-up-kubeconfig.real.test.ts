import { clusterRoles, deployments, namespaces } from "@stowage/machinery";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createAccount } from "../operators/driver-operator/operator-account.ts";
import { type OperatorCluster, startOperatorCluster } from "../operators/driver-operator/operator-cluster.ts";
import { RunningCommand } from "./stowage-up/running-up.ts";

// In a cluster that is there, by its real API server.

const operator = { namespace: "openshift-cluster-version", name: "stowage-version-operator" };
let cluster: OperatorCluster;

const stowage = (...words: string[]) => {
  const own = words.includes("--kubeconfig") ? [] : ["--kubeconfig", cluster.kubeconfigPath];
  return new RunningCommand(["up", "--image", "registry.test/stowage:1", ...own, ...words]).ended();
};

beforeAll(async () => {
  cluster = await startOperatorCluster({ level: "api" });
});
afterAll(() => cluster?.[Symbol.asyncDispose]());

describe("stowage up --kubeconfig", () => {
  it("changes nothing without a yes", async () => {
    const shown = await stowage("--dry-run");
    expect(shown.exitCode).toBe(0);
    expect(shown.stdout).toContain(`  create Deployment ${operator.namespace}/${operator.name}\n`);
    const refused = await stowage();
    expect(refused.exitCode).toBe(1);
    expect(refused.stderr).toContain("--yes");
    expect(await cluster.client.find(namespaces, { name: operator.namespace })).toBeUndefined();
  });

  it("says that a user may not install, once", async () => {
    const account = { operatorName: "bystander", namespace: "bystander" };
    const kubeconfig = await createAccount(cluster, account, { cluster: [], namespaced: {} });
    const { exitCode, stderr } = await stowage("--yes", "--kubeconfig", kubeconfig);
    expect(exitCode).toBe(1);
    expect(stderr.match(/does not let this user install anything/gu)).toHaveLength(1);
    expect(await cluster.client.find(namespaces, { name: operator.namespace })).toBeUndefined();
  });

  it("installs with a yes, and finds nothing to change then", async () => {
    expect(await stowage("--yes", "--wait=false")).toMatchObject({ exitCode: 0 });
    const { spec } = await cluster.client.get(deployments, operator);
    expect(spec?.template.spec?.containers[0]?.image).toBe("registry.test/stowage:1");
    await cluster.client.get(clusterRoles, { name: operator.name });
    const { stdout } = await stowage("--dry-run");
    const own = stdout.slice(0, stdout.indexOf("The version operator"));
    expect(own).toContain("  keep   Deployment");
    expect(own).not.toMatch(/^ {2}(?:create|change)/mu);
  });
});
