import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Container,
  configMaps,
  events,
  namespaces,
  type Pod,
  type PodSpec,
  pods,
  systemClock,
  type Volume,
} from "@stowage/machinery";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type EmbeddedCluster, endRemains, startEmbeddedCluster } from "../../cluster/index.ts";

const namespace = "shop";
let folder: string;
let cluster: EmbeddedCluster;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "in-pods-"));
  cluster = await startEmbeddedCluster({ folder });
  await cluster.client.create(namespaces, { metadata: { name: namespace } });
});
afterEach(async () => {
  const { items } = await cluster.client.list(pods, { namespace });
  for (const { metadata } of items) await cluster.client.delete(pods, { namespace, name: metadata.name ?? "" });
  await expect.poll(async () => (await cluster.client.list(pods, { namespace })).items).toEqual([]);
  await expect.poll(() => readdirSync(podsFolder())).toEqual([]);
  expect(mountsOfPods()).toEqual([]);
});
afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
  await endRemains({ folder, clock: systemClock, graceMs: 0 });
  rmSync(folder, { recursive: true });
});

const podsFolder = () => join(folder, "nodes", "node-1", "pods");
const mountsOfPods = () =>
  readFileSync("/proc/self/mountinfo", "utf8")
    .split("\n")
    .filter((line) => line.includes(podsFolder()));
const until = "trap 'exit 0' TERM; while :; do sleep 0.05; done";

async function created(name: string, script: string, own: Partial<Container>, spec: Partial<PodSpec>): Promise<void> {
  const container = { name: "main", image: "any", command: ["sh", "-c", script], ...own };
  await expect
    .poll(() =>
      cluster.client
        .create(pods, {
          metadata: { name, namespace },
          spec: { containers: [container], terminationGracePeriodSeconds: 1, restartPolicy: "Never", ...spec },
        })
        .then(() => "created", String),
    )
    .toBe("created");
}

const pod = (name: string): Promise<Pod> => cluster.client.get(pods, { namespace, name });
const phase = async (name: string) => (await pod(name)).status?.phase;
const message = async (name: string) => {
  const [status] = (await pod(name)).status?.containerStatuses ?? [];
  const { terminated, waiting } = status?.state ?? {};
  return terminated?.message ?? `${waiting?.reason}: ${waiting?.message}`;
};
const data: Volume = { name: "data", emptyDir: {} };
const mount = (more: object) => ({ name: "data", mountPath: "/data", ...more });

describe("parts of volumes in containers", () => {
  it("are what their Pod says, by names of variables too", async () => {
    await cluster.client.create(configMaps, { metadata: { name: "c", namespace }, data: { key: "value", other: "x" } });
    const volumeMounts = [
      mount({ subPath: "a/b" }),
      { name: "data", mountPath: "/mine", subPathExpr: "of-$(WHO)", readOnly: true },
      { name: "data", mountPath: "/all" },
      { name: "config", mountPath: "/etc/app.conf", subPath: "key" },
    ];
    const script =
      "echo 1 > /data/file; ls -R /all | tr '\\n' ' '; cat /etc/app.conf; (: > /mine/x) || echo ' refused'";
    await created(
      "parts",
      `{ ${script}; } > /dev/termination-log 2> /dev/null`,
      { volumeMounts, env: [{ name: "WHO", value: "me" }] },
      { volumes: [data, { name: "config", configMap: { name: "c" } }] },
    );
    await expect.poll(() => phase("parts")).toBe("Succeeded");
    expect(await message("parts")).toBe("/all: a of-me  /all/a: b  /all/a/b: file  /all/of-me: value refused\n");
    expect((await pod("parts")).status?.containerStatuses?.[0]?.volumeMounts?.slice(0, 2)).toEqual([
      { name: "data", mountPath: "/data" },
      { name: "data", mountPath: "/mine", readOnly: true, recursiveReadOnly: "Disabled" },
    ]);
  });

  it("are refused when a container has made a link that leads out", async () => {
    const init = { name: "init", image: "any", command: ["ln", "-s", "/etc", "/data/out"] };
    await created(
      "attack",
      until,
      { volumeMounts: [mount({ subPath: "out" })] },
      {
        volumes: [data],
        initContainers: [{ ...init, volumeMounts: [mount({})] }],
      },
    );
    const refusal = 'failed to prepare subPath for volumeMount "data" of container "main"';
    await expect.poll(() => message("attack")).toBe(`CreateContainerConfigError: ${refusal}`);
    const told = async () =>
      (await cluster.client.list(events, { namespace })).items
        .filter(({ involvedObject }) => involvedObject.name === "attack")
        .map((event) => `${event.reason}: ${event.message}`);
    await expect.poll(told).toContain(`Failed: Error: ${refusal}`);
  });

  it("are gone with the Pod, also when another agent made them", async () => {
    await created(
      "lasting",
      `echo 1 > /data/file; ${until}`,
      { volumeMounts: [mount({ subPath: "a" })] },
      {
        volumes: [data],
      },
    );
    await expect.poll(() => phase("lasting")).toBe("Running");
    const uid = (await pod("lasting")).metadata.uid ?? "";
    const place = join(podsFolder(), uid, "volume-subpaths", "data", "main", "0", "file");
    await expect.poll(() => existsSync(place)).toBe(true);
    await cluster[Symbol.asyncDispose]();
    expect(existsSync(place)).toBe(true);
    cluster = await startEmbeddedCluster({ folder });
    await expect.poll(() => phase("lasting")).toBe("Running");
    expect((await pod("lasting")).status?.containerStatuses?.[0]?.restartCount).toBe(0);
  });

  it("are read-only with all that is mounted below, if that is wanted", async () => {
    const hosts: Volume = { name: "host", hostPath: { path: join(folder, "host"), type: "DirectoryOrCreate" } };
    const volumeMounts = [
      { name: "host", mountPath: "/plain", readOnly: true },
      { name: "host", mountPath: "/all", readOnly: true, recursiveReadOnly: "Enabled" },
    ];
    execFileSync("mkdir", ["-p", join(folder, "host", "inner")]);
    execFileSync("mount", ["-t", "tmpfs", "inner", join(folder, "host", "inner")]);
    try {
      const tries = ["plain", "plain/inner", "all", "all/inner"].map((path) => `(: > /${path}/x) && echo ${path}`);
      const script = `{ ${tries.join("; ")}; } > /dev/termination-log 2> /dev/null; exit 0`;
      await created("fixed", script, { volumeMounts }, { volumes: [hosts] });
      await expect.poll(() => phase("fixed")).toBe("Succeeded");
      expect(await message("fixed")).toBe("plain/inner\n");
      expect((await pod("fixed")).status?.containerStatuses?.[0]?.volumeMounts?.slice(0, 2)).toMatchObject([
        { recursiveReadOnly: "Disabled" },
        { recursiveReadOnly: "Enabled" },
      ]);
    } finally {
      execFileSync("umount", [join(folder, "host", "inner")]);
    }
  });
});

describe("files of objects in containers", () => {
  it("change while the container runs, but for parts of volumes", async () => {
    const config = await cluster.client.create(configMaps, {
      metadata: { name: "live", namespace },
      data: { key: "1" },
    });
    const volumeMounts = [
      { name: "config", mountPath: "/whole" },
      { name: "config", mountPath: "/part", subPath: "key" },
    ];
    const script =
      'while [ "$(cat /whole/key)" = 1 ]; do sleep 0.02; done; cat /whole/key /part > /dev/termination-log';
    await created("live", script, { volumeMounts }, { volumes: [{ name: "config", configMap: { name: "live" } }] });
    await expect.poll(() => phase("live")).toBe("Running");
    await cluster.client.update(configMaps, { ...config, data: { key: "2" } });
    await expect.poll(() => phase("live")).toBe("Succeeded");
    expect(await message("live")).toBe("21");
  });
});

describe("the use of volumes", () => {
  it("is told by the node", async () => {
    const script = `head -c 300000 /dev/zero > /data/file; : > /data/done; ${until}`;
    await created("full", script, { volumeMounts: [mount({})] }, { volumes: [data] });
    await expect.poll(() => phase("full")).toBe("Running");
    const uid = (await pod("full")).metadata.uid ?? "";
    const path = join(podsFolder(), uid, "volumes", "kubernetes.io~empty-dir", "data");
    await expect.poll(() => existsSync(join(path, "done"))).toBe(true);
    const summary = await cluster.client.getPath<{ pods: { podRef: { name: string }; volume: { name: string }[] }[] }>(
      "/api/v1/nodes/node-1/proxy/stats/summary",
    );
    const [own] = summary.pods.filter(({ podRef }) => podRef.name === "full");
    const used = own?.volume.find(({ name }) => name === "data");
    expect(used).toMatchObject({ inodesUsed: 3, capacityBytes: expect.any(Number) });
    expect((used as unknown as { usedBytes: number }).usedBytes).toBeGreaterThanOrEqual(300_000);
  });

  it("ends a Pod whose folder is larger than it may be", async () => {
    const small: Volume = { name: "data", emptyDir: { sizeLimit: "64Ki" } };
    const script = `head -c 300000 /dev/zero > /data/file; ${until}`;
    await created("large", script, { volumeMounts: [mount({})] }, { volumes: [small] });
    await expect.poll(() => phase("large")).toBe("Failed");
    expect((await pod("large")).status).toMatchObject({
      reason: "Evicted",
      message: 'Usage of EmptyDir volume "data" exceeds the limit "64Ki". ',
    });
  });
});
