// needs: cli
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { createCsiClient } from "@stowage/csi";
import { createClient, createTransport, type KubeClient, loadKubeconfig, type Transport } from "@stowage/kube";
import {
  type Container,
  csiDrivers,
  namespaces,
  type PodSpec,
  persistentVolumeClaims,
  persistentVolumes,
  pods,
  silentLogger,
  systemClock,
  type Volume,
} from "@stowage/machinery";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { endUserNamespace } from "../node/index.ts";
import { nobody, spawnAsNobody } from "../node/runtime/fixtures/unprivileged-process.ts";

const program = new URL("fixtures/served-cluster.ts", import.meta.url).pathname;
const stowage = new URL("../../../cli/bin/stowage.js", import.meta.url).pathname;
const namespace = "shop";

/** A cluster in a process of nobody's, and a client of its. */
class NobodysCluster {
  readonly folder = mkdtempSync(join(tmpdir(), "nobody-"));
  readonly #hasNamespaces: boolean;
  #process: ChildProcess | undefined;
  #transport: Transport | undefined;
  kind = "";

  constructor(hasNamespaces: boolean) {
    this.#hasNamespaces = hasNamespaces;
    chownSync(this.folder, nobody, nobody);
  }

  get node(): string {
    return join(this.folder, "state/nodes/node-1");
  }

  async start(): Promise<KubeClient> {
    const child = await spawnAsNobody(program, [join(this.folder, "state")], { hasNamespaces: this.#hasNamespaces });
    this.#process = child;
    const [line] = (await once(child.stdout, "data")) as [Buffer];
    const { kind, kubeconfigPath: path } = JSON.parse(line.toString()) as { kind: string; kubeconfigPath: string };
    this.kind = kind;
    this.#transport = createTransport(await loadKubeconfig({ path, env: {}, homeDir: "/" }), { userAgent: "test" });
    return createClient({ transport: this.#transport, clock: systemClock, logger: silentLogger });
  }

  async log(pod: string): Promise<string> {
    const path = `/api/v1/namespaces/${namespace}/pods/${pod}/log`;
    const answer = await this.#transport?.send({ method: "GET", path });
    return answer === undefined ? "" : await text(answer.body);
  }

  async end(how: "kill" | "stop"): Promise<void> {
    if (this.#process === undefined) return;
    const isOver = once(this.#process, "close");
    if (how === "kill") this.#process.kill("SIGKILL");
    else this.#process.stdin?.end();
    await isOver;
    this.#transport?.close();
    this.#process = undefined;
  }
}

describe.each([
  ["user", true],
  ["plain", false],
] as const)("a cluster of a user whose containers are made the %s way", (kind, hasNamespaces) => {
  let cluster: NobodysCluster;
  let client: KubeClient;

  beforeEach(async () => {
    cluster = new NobodysCluster(hasNamespaces);
    client = await cluster.start();
    expect(cluster.kind).toBe(kind);
    await client.create(namespaces, { metadata: { name: namespace } });
  });

  afterEach(async () => {
    for (const { metadata } of (await client.list(pods, { namespace })).items) await gone(metadata.name ?? "");
    for (const what of ["pods", "containers"]) {
      await expect.poll(() => readdirSync(join(cluster.node, what))).toEqual([]);
    }
    await cluster.end("stop");
    await endUserNamespace(join(cluster.folder, "state"));
    rmSync(cluster.folder, { recursive: true });
  });

  async function created(name: string, container: Partial<Container>, more: Partial<PodSpec> = {}): Promise<void> {
    const containers = [{ name: "main", image: "any", ...container }];
    const pod = { metadata: { name, namespace }, spec: { terminationGracePeriodSeconds: 1, containers, ...more } };
    // The namespace's service account comes by itself.
    await expect.poll(() => client.create(pods, pod).then(...isDone)).toBe(true);
  }

  const isDone = [() => true, () => false] as const;
  const phase = async (name: string) => (await client.get(pods, { namespace, name })).status?.phase;
  const container = async (name: string) =>
    (await client.get(pods, { namespace, name })).status?.containerStatuses?.[0];
  const gone = async (name: string) => {
    await client.delete(pods, { namespace, name });
    await expect.poll(() => client.find(pods, { namespace, name })).toBeUndefined();
  };

  it("runs a Pod that writes to its volumes, and finds it again after the agent was killed", async () => {
    const place = join(cluster.folder, "machine");
    mkdirSync(place);
    chownSync(place, nobody, nobody);
    const volumes = [
      { name: "scratch", emptyDir: {} },
      { name: "machine", hostPath: { path: place } },
      { name: "self", downwardAPI: { items: [{ path: "name", fieldRef: { fieldPath: "metadata.name" } }] } },
    ];
    const volumeMounts = [
      { name: "scratch", mountPath: "/scratch" },
      { name: "scratch", mountPath: "/part", subPath: "deep/part" },
      { name: "machine", mountPath: "/machine" },
      { name: "self", mountPath: "/self" },
    ];
    const script = "cat /self/name > /part/a; cat /scratch/deep/part/a > /machine/b; echo written; sleep 1000";
    const readinessProbe = { exec: { command: ["grep", "writer", "/machine/b"] }, periodSeconds: 1 };
    const securityContext = { fsGroup: 2000 };
    await created(
      "writer",
      { command: ["sh", "-c", script], volumeMounts, readinessProbe },
      { volumes, securityContext },
    );
    await expect.poll(() => phase("writer")).toBe("Running");
    await expect.poll(async () => (await container("writer"))?.ready).toBe(true);
    expect(readFileSync(join(place, "b"), "utf8")).toBe("writer");
    expect(await cluster.log("writer")).toBe("written\n");
    await cluster.end("kill");
    client = await cluster.start();
    await expect.poll(() => phase("writer")).toBe("Running");
    await expect.poll(async () => (await container("writer"))?.ready).toBe(true);
    expect((await container("writer"))?.restartCount).toBe(0);
  });

  it("gives a Pod a volume of the local driver, which is a Pod itself", async () => {
    await client.create(csiDrivers, { metadata: { name: "local.csi.stowage.dev" }, spec: { attachRequired: false } });
    await created("driver", driverContainer, { hostNetwork: true, volumes: driverVolumes });
    const socket = join(cluster.node, "plugins/local.csi.stowage.dev/csi.sock");
    const driver = createCsiClient({ endpoint: `unix://${socket}`, timeoutMs: 60_000 });
    await driver.waitForReady();
    const volumeId = await createVolume(driver);
    driver.close();
    await createClaim(client, volumeId);
    const volumes = [{ name: "data", persistentVolumeClaim: { claimName: "data" } }];
    const volumeMounts = [{ name: "data", mountPath: "/data" }];
    const command = ["sh", "-c", "echo kept > /data/note; cat /data/note"];
    await created("user", { command, volumeMounts }, { volumes, restartPolicy: "Never" });
    await expect.poll(() => phase("user")).toBe("Succeeded");
    const content = join(cluster.node, "disk/local/contents/volumes", volumeId, "note");
    expect(readFileSync(content, "utf8")).toBe("kept\n");
    await gone("user");
    // Of a Pod that has ended the object goes first, and its volume must be taken away while the driver is there.
    await expect.poll(() => readdirSync(join(cluster.node, "pods"))).toHaveLength(1);
  });
});

const driverContainer: Partial<Container> = {
  command: [process.execPath, stowage, "driver", "local"],
  args: [
    "--endpoint=unix:///csi/csi.sock",
    "--node-id=node-1",
    "--state-dir=/var/lib/stowage/local",
    "--kubelet-dirs=/var/lib/kubelet",
    "--plugin-registration-path=/registration",
    "--kubelet-registration-path=/var/lib/kubelet/plugins/local.csi.stowage.dev/csi.sock",
  ],
  env: [{ name: "TMPDIR", value: "/scratch" }],
  securityContext: { privileged: true, readOnlyRootFilesystem: true },
  volumeMounts: [
    { name: "kubelet-dir", mountPath: "/var/lib/kubelet", mountPropagation: "Bidirectional" },
    { name: "socket-dir", mountPath: "/csi" },
    { name: "registration-dir", mountPath: "/registration" },
    { name: "device-dir", mountPath: "/dev", mountPropagation: "HostToContainer" },
    { name: "state-dir", mountPath: "/var/lib/stowage/local", mountPropagation: "Bidirectional" },
    // Not over `/tmp`: the program may lie there.
    { name: "temporary-dir", mountPath: "/scratch" },
  ],
};

const onMachine = (name: string, path: string, type: "Directory" | "DirectoryOrCreate"): Volume => ({
  name,
  hostPath: { path, type },
});
const driverVolumes: Volume[] = [
  onMachine("kubelet-dir", "/var/lib/kubelet", "Directory"),
  onMachine("socket-dir", "/var/lib/kubelet/plugins/local.csi.stowage.dev/", "DirectoryOrCreate"),
  onMachine("registration-dir", "/var/lib/kubelet/plugins_registry/", "Directory"),
  onMachine("device-dir", "/dev", "Directory"),
  onMachine("state-dir", "/var/lib/stowage/local", "DirectoryOrCreate"),
  { name: "temporary-dir", emptyDir: {} },
];

const writer = {
  accessType: { case: "mount" as const, value: { fsType: "", mountFlags: [] } },
  accessMode: { mode: 1 },
};

async function createVolume(driver: ReturnType<typeof createCsiClient>): Promise<string> {
  const request = { name: "v", capacityRange: { requiredBytes: 1n << 20n }, volumeCapabilities: [writer] };
  return (await driver.controller.createVolume(request)).volume?.volumeId ?? "";
}

async function createClaim(client: KubeClient, volumeHandle: string): Promise<void> {
  const shared = { accessModes: ["ReadWriteOnce" as const], storageClassName: "" };
  const csi = { driver: "local.csi.stowage.dev", volumeHandle };
  await client.create(persistentVolumes, {
    metadata: { name: "data" },
    spec: { ...shared, capacity: { storage: "1Mi" }, csi, claimRef: { namespace, name: "data" } },
  });
  const resources = { requests: { storage: "1Mi" } };
  const spec = { ...shared, resources, volumeName: "data" };
  await client.create(persistentVolumeClaims, { metadata: { name: "data", namespace }, spec });
}
