import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { promisify } from "node:util";
import { isForbidden, type KubeClient } from "@stowage/kube";
import { ensureBinaries, silentProgress } from "@stowage/lab";
import { type Deployment, deployments, namespaces, nodes, type Pod, pods, secrets } from "@stowage/machinery";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ClusterParts, connectedBy, nodeNames, type PartName, partNames } from "./embedded-parts/cluster-parts.ts";

const namespace = "shop";
/** Others have to notice that a part is there again, on a machine that may be busy. */
const PATIENCE_MS = 120_000;
/** No other process of the machine sleeps as long. */
const sleepSeconds = 3_000_000 + process.pid;

let stack: AsyncDisposableStack;
let parts: ClusterParts;
let client: KubeClient;
let kubectlPath: string;

beforeAll(async () => {
  stack = new AsyncDisposableStack();
  const binaries = await ensureBinaries(["kubectl"], { progress: silentProgress });
  kubectlPath = binaries.kubectl?.path ?? "kubectl";
  parts = stack.use(await ClusterParts.start());
  client = stack.use(await connectedBy(parts.kubeconfig())).client;
  await client.create(namespaces, { metadata: { name: namespace } });
});

afterAll(async () => {
  await stack.disposeAsync();
  expect(containerPids(), "a container is left").toEqual([]);
  expect(readFileSync("/proc/self/mountinfo", "utf8")).not.toContain(parts.folder);
});

const run = promisify(execFile);

async function kubectl(...words: readonly string[]): Promise<string> {
  const { stdout } = await run(kubectlPath, ["--kubeconfig", parts.kubeconfig(), "--namespace", namespace, ...words]);
  return stdout;
}

/** Of the machine, of all that run in Pods here. */
function containerPids(): number[] {
  const isOurs = (pid: string) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8") === `sleep\0${sleepSeconds}\0`;
    } catch {
      // It ended meanwhile.
      return false;
    }
  };
  const pids = readdirSync("/proc").filter((name) => /^\d+$/u.test(name));
  return pids
    .filter(isOurs)
    .map(Number)
    .toSorted((a, b) => a - b);
}

const template = {
  metadata: { labels: { app: "web" } },
  spec: {
    terminationGracePeriodSeconds: 1,
    containers: [{ name: "main", image: "any", command: ["sh", "-c", `echo up; exec sleep ${sleepSeconds}`] }],
  },
};

const web = (): Promise<Deployment> => client.get(deployments, { namespace, name: "web" });
const webPods = async (): Promise<Pod[]> => (await client.list(pods, { namespace, labelSelector: "app=web" })).items;
const readyNodes = async () =>
  (await client.list(nodes)).items
    .filter(({ status }) => status?.conditions?.some(({ type, status: is }) => type === "Ready" && is === "True"))
    .map(({ metadata }) => metadata.name);

/** While a part comes back, a request may meet nobody. */
const eventually = <Result>(ask: () => Promise<Result>) =>
  expect.poll(() => ask().catch(() => undefined), { timeout: PATIENCE_MS });

async function scaleTo(replicas: number): Promise<void> {
  await eventually(async () => {
    await client.patch(deployments, { namespace, name: "web" }, { type: "merge", patch: { spec: { replicas } } });
    return true;
  }).toBe(true);
  await eventually(async () => (await web()).status?.readyReplicas).toBe(replicas);
  // A program counts as running a moment before it is what it becomes.
  await expect.poll(containerPids).toHaveLength(replicas);
}

describe("an embedded cluster of four processes", () => {
  it("has its nodes, and they are ready", async () => {
    await eventually(async () => new Set(await readyNodes())).toEqual(new Set(nodeNames));
  });

  it("runs a Deployment, on both nodes", async () => {
    await eventually(async () => {
      const spec = { replicas: 2, selector: { matchLabels: { app: "web" } }, template };
      await client.create(deployments, { metadata: { name: "web", namespace }, spec });
      return true;
    }).toBe(true);
    await eventually(async () => (await web()).status?.readyReplicas).toBe(2);
    expect(new Set((await webPods()).map(({ spec }) => spec?.nodeName))).toEqual(new Set(nodeNames));
    await expect.poll(containerPids).toHaveLength(2);
  });

  it("has logs and commands of each node, as kubectl asks for them", async () => {
    for (const { metadata } of await webPods()) {
      const name = metadata.name ?? "";
      await eventually(() => kubectl("logs", name)).toBe("up\n");
      expect(await kubectl("exec", name, "--", "hostname")).toBe(`${name}\n`);
      await expect(kubectl("exec", name, "--", "sh", "-c", "exit 5")).rejects.toThrow("exit code 5");
    }
  });

  it.each<[PartName, number]>(partNames.map((part, index) => [part, 3 + index]))(
    "loses nothing when %s is killed and started again",
    async (part, replicas) => {
      const [before, pids] = [await webPods(), containerPids()];
      await parts.crash(part);
      expect(containerPids()).toEqual(pids);
      await parts.start(part);
      await scaleTo(replicas);
      const after = await webPods();
      const uidsOf = (list: readonly Pod[]) => list.map(({ metadata }) => metadata.uid);
      expect(uidsOf(after)).toEqual(expect.arrayContaining(uidsOf(before)));
      expect(containerPids()).toEqual(expect.arrayContaining(pids));
      const restarts = after.flatMap(({ status }) => status?.containerStatuses?.map((each) => each.restartCount));
      expect(new Set(restarts)).toEqual(new Set([0]));
      for (const name of nodeNames) {
        const pod = after.find(({ spec }) => spec?.nodeName === name);
        // A node that has come back is asked at another port, which its Node tells a moment later.
        await eventually(() => kubectl("exec", pod?.metadata.name ?? "", "--", "echo", "there")).toBe("there\n");
      }
    },
  );

  it("lets a node read what its own Pods use, and not what those of another do", async () => {
    await client.create(secrets, { metadata: { name: "of-two", namespace }, stringData: { word: "hidden" } });
    const spec = {
      ...template.spec,
      volumes: [{ name: "files", secret: { secretName: "of-two" } }],
      nodeName: "node-2",
    };
    await client.create(pods, { metadata: { name: "user", namespace }, spec });
    using one = await connectedBy(parts.kubeconfig("node-1"));
    using two = await connectedBy(parts.kubeconfig("node-2"));
    const secret = { namespace, name: "of-two" };
    expect((await two.client.get(secrets, secret)).data).toEqual({ word: Buffer.from("hidden").toString("base64") });
    await expect(one.client.get(secrets, secret)).rejects.toSatisfy(isForbidden);
    await expect(one.client.list(secrets, { namespace })).rejects.toSatisfy(isForbidden);
    await expect(one.client.delete(pods, { namespace, name: "user" })).rejects.toSatisfy(isForbidden);
    await expect(one.client.get(nodes, { name: "node-2" })).rejects.toSatisfy(isForbidden);
    using controllers = await connectedBy(parts.kubeconfig("controllers"));
    await expect(controllers.client.delete(pods, { namespace, name: "user" })).rejects.toSatisfy(isForbidden);
  });

  it("stops in order, and leaves running what is in Pods until that is ended, too", async () => {
    await eventually(async () => (await client.get(pods, { namespace, name: "user" })).status?.phase).toBe("Running");
    const { items } = await client.list(pods, { namespace });
    await expect.poll(containerPids).toHaveLength(items.length);
    const pids = containerPids();
    const codes = [];
    for (const part of partNames.toReversed()) codes.push(await parts.stop(part));
    expect(codes).toEqual([0, 0, 0, 0]);
    expect(containerPids()).toEqual(pids);
    await parts.endPods();
    expect(containerPids()).toEqual([]);
  });
});
