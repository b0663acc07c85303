import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMounter, systemExecutor } from "@stowage/csi/host";
import { createInformer, MemoryEventRecorder } from "@stowage/kube";
import {
  configMaps,
  namespaces,
  type Pod,
  type PodSpec,
  pods,
  secrets,
  serviceAccounts,
  silentLogger,
  systemClock,
  type Volume,
} from "@stowage/machinery";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { EmbeddedScene } from "../../../fixtures/embedded-scene.ts";
import { runningWork } from "../../../running-work.ts";
import { PlainVolumes } from "./plain-volumes.ts";

const namespace = "shop";
let folder: string;
let scene: EmbeddedScene;
let events: MemoryEventRecorder;
let volumes: PlainVolumes;
let work: AsyncDisposable;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "plain-"));
  scene = await EmbeddedScene.start();
  events = new MemoryEventRecorder();
  await scene.client.create(namespaces, { metadata: { name: namespace } });
  await scene.client.create(serviceAccounts, { metadata: { name: "default", namespace } });
  start();
});
afterEach(async () => {
  for (const pod of (await scene.client.list(pods)).items) await volumes.unmounted(pod);
  await work[Symbol.asyncDispose]();
  await scene[Symbol.asyncDispose]();
  expect(readFileSync("/proc/self/mountinfo", "utf8")).not.toContain(folder);
  for (const uid of readdirSync(folder)) {
    expect(readdirSync(join(folder, uid, "volumes")), uid).toEqual([]);
    expect(readdirSync(join(folder, uid, "plugins", "kubernetes.io~empty-dir")), uid).toEqual([]);
  }
  rmSync(folder, { recursive: true });
});

function start(): void {
  const { client } = scene;
  const clock = systemClock;
  const logger = silentLogger;
  const informer = createInformer({ client, type: pods, clock, logger });
  const shared = { client, clock, logger, events, podsFolder: folder, allocatable: { memory: "64Mi" } };
  volumes = new PlainVolumes({ ...shared, mounter: createMounter(systemExecutor), pods: informer });
  work = runningWork(async (signal) => {
    await Promise.all([informer.run(signal), volumes.run(signal)]);
  });
}

async function created(own: readonly Volume[], spec: Partial<PodSpec> = {}): Promise<Pod> {
  return scene.client.create(pods, {
    metadata: { name: "web", namespace, labels: { colour: "red" } },
    spec: {
      automountServiceAccountToken: false,
      containers: [
        { name: "main", image: "any", volumeMounts: own.map(({ name }) => ({ name, mountPath: `/${name}` })) },
      ],
      volumes: [...own],
      ...spec,
    },
  });
}

const never = new AbortController().signal;
async function mounted(own: readonly Volume[], spec: Partial<PodSpec> = {}): Promise<(path: string) => string> {
  const places = await volumes.mounted(await created(own, spec), never);
  return (path) => {
    const [name = "", ...rest] = path.split("/");
    return join(places.get(name)?.path ?? "", ...rest);
  };
}
const read = (path: string) => (existsSync(path) ? readFileSync(path, "utf8") : undefined);
const facts = (path: string) => [statSync(path).gid, statSync(path).mode & 0o7777];
const configMap = (name: string, data: Record<string, string>, more = {}) =>
  scene.client.create(configMaps, { metadata: { name, namespace }, data, ...more });
const told = () => events.events.map(({ reason, message }) => `${reason}: ${message}`);

describe("files of objects", () => {
  it("follow their objects and their Pod", async () => {
    const kept = await configMap("c", { a: "1", b: "1" });
    await scene.client.create(secrets, { metadata: { name: "s", namespace }, stringData: { key: "one" } });
    const items = [{ path: "labels", fieldRef: { fieldPath: "metadata.labels" } }];
    const at = await mounted([
      { name: "config", configMap: { name: "c" } },
      { name: "secret", secret: { secretName: "s", defaultMode: 0o400 } },
      { name: "down", downwardAPI: { items } },
      { name: "all", projected: { sources: [{ configMap: { name: "c" } }, { secret: { name: "s" } }] } },
    ]);
    expect(["config/a", "secret/key", "down/labels", "all/key"].map((path) => read(at(path)))).toEqual([
      "1",
      "one",
      'colour="red"',
      "one",
    ]);
    expect(facts(at("secret/key"))[1]).toBe(0o400);
    await scene.client.update(configMaps, { ...kept, data: { a: "2", c: "2" } });
    await expect
      .poll(() => [read(at("config/a")), read(at("config/b")), read(at("all/c"))])
      .toEqual(["2", undefined, "2"]);
    const patch = { type: "merge" as const, patch: { metadata: { labels: { colour: "blue" } } } };
    await scene.client.patch(pods, { namespace, name: "web" }, patch);
    await expect.poll(() => read(at("down/labels"))).toBe('colour="blue"');
    await scene.client.patch(
      secrets,
      { namespace, name: "s" },
      { type: "merge", patch: { stringData: { key: "two" } } },
    );
    await expect.poll(() => [read(at("secret/key")), read(at("all/key"))]).toEqual(["two", "two"]);
    expect(told()).toEqual([]);
  });

  it("appear when what is optional does, and stay when what is not goes", async () => {
    await configMap("c", { a: "1" });
    const at = await mounted([
      { name: "maybe", configMap: { name: "later", optional: true } },
      { name: "sure", configMap: { name: "c" } },
    ]);
    expect(readdirSync(at("maybe")).filter((name) => !name.startsWith(".."))).toEqual([]);
    await configMap("later", { x: "y" });
    await expect.poll(() => read(at("maybe/x"))).toBe("y");
    await scene.client.delete(configMaps, { namespace, name: "c" });
    await expect
      .poll(told)
      .toContain('FailedMount: MountVolume.SetUp failed for volume "sure" : configmap "c" not found');
    expect(read(at("sure/a"))).toBe("1");
    await configMap("c", { a: "back" });
    await expect.poll(() => read(at("sure/a"))).toBe("back");
  });

  it("are waited for, and what is missing is told", async () => {
    await configMap("c", { a: "1" });
    const own = [
      { name: "one", configMap: { name: "c", items: [{ key: "z", path: "z" }] } },
      { name: "two", secret: { secretName: "s" } },
    ];
    const mounting = mounted(own);
    await expect
      .poll(told)
      .toEqual(
        expect.arrayContaining([
          'FailedMount: MountVolume.SetUp failed for volume "one" : configmap references non-existent config key: z',
          'FailedMount: MountVolume.SetUp failed for volume "two" : secret "s" not found',
        ]),
      );
    await scene.client.create(secrets, { metadata: { name: "s", namespace }, stringData: { key: "v" } });
    await scene.client.patch(configMaps, { namespace, name: "c" }, { type: "merge", patch: { data: { z: "there" } } });
    const at = await mounting;
    expect([read(at("one/z")), read(at("two/key"))]).toEqual(["there", "v"]);
  });

  it("belong to the group of their Pod, whatever is written later too", async () => {
    await configMap("c", { a: "1" });
    const securityContext = { fsGroup: 4711 };
    const token = { serviceAccountToken: { path: "token" } };
    const at = await mounted(
      [
        { name: "config", configMap: { name: "c", defaultMode: 0o400 } },
        { name: "token", projected: { sources: [token] } },
        { name: "data", emptyDir: {} },
      ],
      { securityContext },
    );
    expect([facts(at("config/a")), facts(at("token/token")), facts(at("data"))]).toEqual([
      [4711, 0o440],
      [4711, 0o640],
      [4711, 0o2777],
    ]);
    const before = readdirSync(at("config"));
    await scene.client.patch(
      pods,
      { namespace, name: "web" },
      { type: "merge", patch: { metadata: { labels: { x: "y" } } } },
    );
    await scene.client.patch(configMaps, { namespace, name: "c" }, { type: "merge", patch: { data: { a: "2" } } });
    await expect.poll(() => read(at("config/a"))).toBe("2");
    expect(facts(at("config/a"))).toEqual([4711, 0o440]);
    expect(readdirSync(at("config"))).toHaveLength(before.length);
  });

  it("are whose the containers are, where these are all the same", async () => {
    const projected = { sources: [{ serviceAccountToken: { path: "token" } }] };
    const at = await mounted([{ name: "token", projected }], { securityContext: { runAsUser: 4711 } });
    expect([statSync(at("token/token")).uid, facts(at("token/token"))[1]]).toEqual([4711, 0o600]);
  });

  it("have room for what is mounted below them", async () => {
    await configMap("c", { a: "1" });
    const volumeMounts = [
      { name: "config", mountPath: "/etc/app" },
      { name: "data", mountPath: "/etc/app/cache/deep" },
    ];
    const at = await mounted(
      [
        { name: "config", configMap: { name: "c" } },
        { name: "data", emptyDir: {} },
      ],
      { containers: [{ name: "main", image: "any", volumeMounts }] },
    );
    expect(statSync(at("config/cache/deep")).isDirectory()).toBe(true);
  });
});

describe("folders that go with the Pod", () => {
  it("are on the disk or in memory, as large as they may be", async () => {
    const at = await mounted([
      { name: "disk", emptyDir: {} },
      { name: "memory", emptyDir: { medium: "Memory", sizeLimit: "1Mi" } },
    ]);
    expect([facts(at("disk"))[1], facts(at("memory"))[1]]).toEqual([0o777, 0o1777]);
    const mount = readFileSync("/proc/self/mountinfo", "utf8")
      .split("\n")
      .find((line) => line.includes(at("memory")));
    expect(mount).toContain("- tmpfs tmpfs ");
    expect(mount).toContain("size=1024k");
    expect(() => writeFileSync(at("memory/large"), Buffer.alloc(2 << 20))).toThrow("ENOSPC");
  });

  it("are left as their users made them when the agent comes back", async () => {
    const own = [
      { name: "disk", emptyDir: {} },
      { name: "memory", emptyDir: { medium: "Memory" } },
    ];
    const pod = await created(own, { securityContext: { fsGroup: 7 } });
    const first = await volumes.mounted(pod, never);
    const path = first.get("disk")?.path ?? "";
    chmodSync(path, 0o700);
    writeFileSync(join(first.get("memory")?.path ?? "", "kept"), "");
    await work[Symbol.asyncDispose]();
    start();
    const second = await volumes.mounted(pod, never);
    expect(second).toEqual(first);
    expect(facts(path)[1]).toBe(0o700);
    expect(readdirSync(second.get("memory")?.path ?? "")).toEqual(["kept"]);
  });

  it("are not removed with what somebody has mounted in them", async () => {
    const at = await mounted([{ name: "disk", emptyDir: {} }]);
    const precious = mkdtempSync(join(tmpdir(), "precious-"));
    writeFileSync(join(precious, "file"), "");
    mkdirSync(at("disk/inner"));
    execFileSync("mount", ["--bind", precious, at("disk/inner")]);
    const pod = await scene.client.get(pods, { namespace, name: "web" });
    await expect(volumes.unmounted(pod)).rejects.toThrow(expect.objectContaining({ code: "VOLUME_BUSY" }));
    execFileSync("umount", [at("disk/inner")]);
    await volumes.unmounted(pod);
    expect(readdirSync(precious)).toEqual(["file"]);
    rmSync(precious, { recursive: true });
  });
});
