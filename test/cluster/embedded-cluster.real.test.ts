import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type EmbeddedCluster, endRemains, startEmbeddedCluster } from "@stowage/embedded";
import { ensureBinaries, silentProgress } from "@stowage/lab";
import {
  type Deployment,
  deployments,
  jobs,
  namespaces,
  nodes,
  type PodSpec,
  pods,
  replicaSets,
  systemClock,
} from "@stowage/machinery";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const namespace = "shop";
let folder: string;
let cluster: EmbeddedCluster;
let kubectlPath: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "cluster-"));
  const binaries = await ensureBinaries(["kubectl"], { progress: silentProgress });
  kubectlPath = binaries.kubectl?.path ?? "kubectl";
  cluster = await startEmbeddedCluster({ folder, nodes: 2 });
  await cluster.client.create(namespaces, { metadata: { name: namespace } });
});

afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
  await endRemains({ folder, clock: systemClock, graceMs: 1_000 });
  expect(readFileSync("/proc/self/mountinfo", "utf8")).not.toContain(folder);
  rmSync(folder, { recursive: true });
});

/** The cluster is in this very process, so that nobody may wait for kubectl without letting it work. */
async function kubectl(args: readonly string[], input = ""): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const command = ["--kubeconfig", cluster.kubeconfigPath, "--namespace", namespace, ...args];
  const child = execFile(kubectlPath, command, (error, stdout, stderr) => {
    if (error === null) resolve(stdout);
    else reject(new Error(stderr));
  });
  child.stdin?.end(input);
  return await promise;
}

const byText = (a: string, b: string) => (a < b ? -1 : 1);

const template = (script: string, more: Partial<PodSpec> = {}) => ({
  metadata: { labels: { app: "web" } },
  spec: {
    terminationGracePeriodSeconds: 1,
    containers: [{ name: "main", image: "any", command: ["sh", "-c", script] }],
    ...more,
  },
});
const serving = "trap 'exit 0' TERM; while :; do sleep 0.05; done";
const deployment = (): Promise<Deployment> => cluster.client.get(deployments, { namespace, name: "web" });

describe("an embedded cluster", () => {
  it("has its nodes, and they are ready", async () => {
    await expect
      .poll(async () =>
        (await cluster.client.list(nodes)).items.map(({ metadata }) => metadata.name ?? "").toSorted(byText),
      )
      .toEqual(["node-1", "node-2"]);
  });

  it("brings a Deployment up, spread over its nodes", async () => {
    const labels = { matchLabels: { app: "web" } };
    await expect
      .poll(() =>
        cluster.client
          .create(deployments, {
            metadata: { name: "web", namespace },
            spec: { replicas: 4, selector: labels, template: template(serving) },
          })
          .then(
            () => true,
            () => false,
          ),
      )
      .toBe(true);
    await expect.poll(async () => (await deployment()).status?.readyReplicas).toBe(4);
    const { items } = await cluster.client.list(pods, { namespace });
    expect(new Set(items.map(({ spec }) => spec?.nodeName)).size).toBe(2);
  });

  it("rolls a new version out", async () => {
    const current = await deployment();
    const spec = { ...current.spec, replicas: 2, template: template(`: v2; ${serving}`) } as NonNullable<
      Deployment["spec"]
    >;
    await cluster.client.update(deployments, { ...current, spec });
    await expect
      .poll(async () => {
        const { status } = await deployment();
        return [status?.updatedReplicas, status?.replicas, status?.readyReplicas];
      })
      .toEqual([2, 2, 2]);
    expect((await cluster.client.list(replicaSets, { namespace })).items).toHaveLength(2);
  });

  it("starts a Pod again that somebody deletes", async () => {
    const [first] = (await cluster.client.list(pods, { namespace })).items;
    const name = first?.metadata.name ?? "";
    await cluster.client.delete(pods, { namespace, name });
    await expect.poll(() => cluster.client.find(pods, { namespace, name })).toBeUndefined();
    await expect.poll(async () => (await deployment()).status?.readyReplicas).toBe(2);
  });

  it("runs a Job to its end", async () => {
    const spec = { template: { spec: { ...template("exit 0").spec, restartPolicy: "Never" as const } } };
    await cluster.client.create(jobs, { metadata: { name: "once", namespace }, spec });
    await expect
      .poll(async () => (await cluster.client.get(jobs, { namespace, name: "once" })).status?.succeeded)
      .toBe(1);
  });

  it("has logs and commands, as kubectl asks for them", async () => {
    await cluster.client.create(pods, {
      ...template(`echo one; echo two; ${serving}`),
      metadata: { name: "talker", namespace },
    });
    await expect
      .poll(async () => (await cluster.client.get(pods, { namespace, name: "talker" })).status?.phase)
      .toBe("Running");
    await expect.poll(() => kubectl(["logs", "talker"])).toBe("one\ntwo\n");
    expect(await kubectl(["logs", "talker", "--tail=1"])).toBe("two\n");
    expect(await kubectl(["exec", "talker", "--", "hostname"])).toBe("talker\n");
    expect(await kubectl(["exec", "-i", "talker", "--", "cat"], "sent")).toBe("sent");
    await expect(kubectl(["exec", "talker", "--", "sh", "-c", "exit 5"])).rejects.toThrow("exit code 5");
    await cluster.client.delete(pods, { namespace, name: "talker" });
    await expect.poll(() => cluster.client.find(pods, { namespace, name: "talker" })).toBeUndefined();
  });

  it("goes on where it was after a restart", async () => {
    const before = (await cluster.client.list(pods, { namespace })).items
      .map(({ metadata }) => metadata.uid ?? "")
      .toSorted(byText);
    await cluster[Symbol.asyncDispose]();
    cluster = await startEmbeddedCluster({ folder, nodes: 2 });
    await expect.poll(async () => (await deployment()).status?.readyReplicas).toBe(2);
    const { items } = await cluster.client.list(pods, { namespace });
    expect(items.map(({ metadata }) => metadata.uid ?? "").toSorted(byText)).toEqual(before);
    expect(items.flatMap(({ status }) => status?.containerStatuses?.map(({ restartCount }) => restartCount))).toEqual([
      0, 0, 0,
    ]);
  });

  it("leaves nothing of what is deleted", async () => {
    await cluster.client.delete(deployments, { namespace, name: "web" });
    await cluster.client.delete(jobs, { namespace, name: "once" }, { propagationPolicy: "Background" });
    await expect.poll(async () => (await cluster.client.list(pods, { namespace })).items).toEqual([]);
    await expect.poll(async () => (await cluster.client.list(replicaSets, { namespace })).items).toEqual([]);
  });

  it("empties a namespace that is deleted, Pods and all", async () => {
    await cluster.client.create(pods, { ...template(serving), metadata: { name: "last", namespace } });
    await expect
      .poll(async () => (await cluster.client.get(pods, { namespace, name: "last" })).status?.phase)
      .toBe("Running");
    await cluster.client.delete(namespaces, { name: namespace });
    await expect.poll(() => cluster.client.find(namespaces, { name: namespace })).toBeUndefined();
  });
});
