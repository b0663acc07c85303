// needs: cli sidecars
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Driver, serveDriver } from "@stowage/csi";
import { createMockDriver, type MockDriver } from "@stowage/drivers";
import { createClient, createTransport, type KubeClient, loadKubeconfig, type Transport } from "@stowage/kube";
import { namespaces, persistentVolumeClaims, randomSuffix, silentLogger, storageClasses } from "@stowage/machinery";
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import { StowageProcess } from "./sidecar-chaos/stowage-process.ts";
import { ensureSnapshotCrds } from "./snapshot-crds.ts";

/** As the originals have it. */
const DEFAULT_LEASE_MS = 15_000;
/** From the moment that it may to its first call. */
const ACTS_WITHIN_MS = 2_000;
/** Until a new process is there, which is nothing that is measured here, on a machine that others keep busy. */
const STARTS_WITHIN_MS = 60_000;

/** A call of the driver, by the replica that made it. */
interface MarkedCall {
  readonly replica: string;
  readonly method: string;
  readonly subject: string;
  readonly atMs: number;
}

interface Replica {
  readonly name: string;
  readonly process: StowageProcess;
}

type AnyCall = (request: { name?: string; volumeId?: string }, context: unknown) => Promise<unknown>;

/** The same service, each call of which is noted when it arrives. */
function marked<Service extends object>(service: Service, note: (method: string, subject: string) => void): Service {
  const calls = Object.entries(service as Record<string, AnyCall>).map(([method, call]): [string, AnyCall] => [
    method,
    (request, context) => {
      note(method, request.name ?? request.volumeId ?? "");
      return call(request, context);
    },
  ]);
  return Object.fromEntries(calls) as Service;
}

/** Calls that only ask change nothing: whoever starts asks what the driver can do. */
const isAct = ({ method }: Pick<MarkedCall, "method">) => !/^(controllerGetCapabilities|list|get)/.test(method);

/** Each act of a replica after another one had begun to act. */
function outOfTurn(calls: readonly MarkedCall[]): string[] {
  const retired = new Set<string>();
  let acting: string | undefined;
  return calls.filter(isAct).flatMap(({ replica, method, subject, atMs }) => {
    if (acting !== undefined && acting !== replica) retired.add(acting);
    acting = replica;
    return retired.has(replica) ? [`${replica} called ${method} ${subject} at ${atMs}`] : [];
  });
}

/** The acts that a replica began at that time or later, by its own log: when they arrive depends on how busy the machine is. */
function begunSince({ process }: Replica, atMs: number): string[] {
  return process.said
    .split("\n")
    .filter((line) => line.includes('"msg":"CSI call"'))
    .map((line) => JSON.parse(line) as { time: string; method: string })
    .filter(({ time, method }) => Date.parse(time) >= atMs && isAct({ method: callName(method) }))
    .map(({ time, method }) => `${method} at ${time}`);
}

/** `/csi.v1.Controller/CreateVolume` as the driver's functions have it. */
function callName(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return name.slice(0, 1).toLowerCase() + name.slice(1);
}

describe("two replicas of all sidecars", () => {
  let transport: Transport;
  let client: KubeClient;
  let folder: string;
  let namespace: string;
  let driverName: string;
  let mock: MockDriver;
  let calls: MarkedCall[];
  let replicas: Replica[];
  let stopDrivers: AbortController;
  let drivers: Promise<void>[];

  beforeEach(async () => {
    calls = [];
    replicas = [];
    drivers = [];
    stopDrivers = new AbortController();
    folder = await mkdtemp(join(tmpdir(), "failover-"));
    transport = createTransport(await loadKubeconfig({ path: inject("kubeconfig"), env: {}, homeDir: "/" }));
    client = createClient({ transport });
    namespace = `failover-${randomSuffix(Math.random)}`;
    driverName = `${namespace}.csi.test`;
    mock = createMockDriver({ nodeId: "node-1", name: driverName });
    await client.create(namespaces, { metadata: { name: namespace } });
    await client.create(storageClasses, { metadata: { name: namespace }, provisioner: driverName });
    await ensureSnapshotCrds(client);
  });

  afterEach(async () => {
    await Promise.all(replicas.map(({ process: running }) => running.stop("SIGKILL")));
    stopDrivers.abort();
    await Promise.all(drivers);
    await client.delete(storageClasses, { name: namespace });
    await client.delete(namespaces, { name: namespace });
    transport.close();
    await rm(folder, { recursive: true });
  });

  /** Beside its own socket of the one driver, so that its calls can be told from the other's. */
  async function startReplica(name: string, flags: readonly string[] = []): Promise<Replica> {
    const endpoint = `unix://${join(folder, `${name}.sock`)}`;
    const note = (method: string, subject: string) =>
      calls.push({ replica: name, method, subject, atMs: performance.now() });
    const { controller, ...rest } = mock.driver;
    const driver: Driver = { ...rest, controller: controller && marked(controller, note) };
    const { promise: listens, resolve: onListening } = Promise.withResolvers<unknown>();
    drivers.push(
      serveDriver(driver, { endpoint, logger: silentLogger, drainTimeoutMs: 0, onListening }, stopDrivers.signal),
    );
    await listens;
    const all = "provisioner,attacher,resizer,snapshotter,snapshot-controller";
    const process = new StowageProcess(
      [
        "sidecars",
        `--controllers=${all}`,
        `--csi-address=${endpoint}`,
        `--kubeconfig=${inject("kubeconfig")}`,
        "--leader-election",
        `--leader-election-namespace=${namespace}`,
        "--retry-interval-start=100ms",
        ...flags,
      ],
      { POD_NAMESPACE: namespace },
    );
    const replica = { name, process };
    replicas.push(replica);
    return replica;
  }

  async function makeClaim(name: string): Promise<void> {
    await client.create(persistentVolumeClaims, {
      metadata: { namespace, name },
      spec: {
        accessModes: ["ReadWriteOnce"],
        storageClassName: namespace,
        resources: { requests: { storage: "1Gi" } },
      },
    });
  }

  const firstCall = (replica: Replica) => calls.filter(isAct).find((call) => call.replica === replica.name);

  async function acts(replica: Replica, timeout: number): Promise<MarkedCall> {
    await expect.poll(() => firstCall(replica), { timeout, interval: 5 }).toBeDefined();
    return firstCall(replica) as MarkedCall;
  }

  async function stands(replica: Replica): Promise<void> {
    await expect.poll(() => replica.process.said, { timeout: STARTS_WITHIN_MS }).toContain("another leads");
  }

  /** One that leads and has shown it, and one that waits. */
  async function startPair(flags: readonly string[] = []): Promise<{ leader: Replica; other: Replica }> {
    const leader = await startReplica("leader", flags);
    await makeClaim("first");
    await acts(leader, STARTS_WITHIN_MS);
    const other = await startReplica("other", flags);
    await stands(other);
    return { leader, other };
  }

  it("hand over at once when the leader is stopped in order, with the default times", async () => {
    const { leader, other } = await startPair();
    const stoppedMs = performance.now();
    leader.process.signal("SIGTERM");
    await makeClaim("second");
    const { atMs } = await acts(other, 10_000);
    console.log(`acted ${Math.round(atMs - stoppedMs)} ms after SIGTERM`);
    expect(atMs - stoppedMs).toBeLessThan(ACTS_WITHIN_MS);
    expect(await leader.process.stop("SIGTERM")).toBe(0);
    expect(outOfTurn(calls)).toEqual([]);
  });

  it.each([
    ["CreateVolume", async () => makeClaim("stuck")],
    ["DeleteVolume", async () => client.delete(persistentVolumeClaims, { namespace, name: "first" })],
  ])(
    "hand over at once also while the driver does not answer %s",
    async (method, begin) => {
      const { leader, other } = await startPair();
      await expect
        .poll(async () => (await client.get(persistentVolumeClaims, { namespace, name: "first" })).status?.phase)
        .toBe("Bound");
      mock.control.addFault({ method, kind: "hang" });
      await begin();
      await expect
        .poll(() => mock.control.calls(method).some(({ code }) => code === undefined), { timeout: 20_000 })
        .toBe(true);
      mock.control.clearFaults();
      const stoppedMs = performance.now();
      leader.process.signal("SIGTERM");
      const { atMs } = await acts(other, 30_000);
      console.log(`acted ${Math.round(atMs - stoppedMs)} ms after SIGTERM in the middle of ${method}`);
      expect(atMs - stoppedMs).toBeLessThan(ACTS_WITHIN_MS);
      expect(await leader.process.stop("SIGTERM")).toBe(0);
      expect(outOfTurn(calls)).toEqual([]);
    },
    180_000,
  );

  it("hand over at once also when the leader has much to do and to tell", async () => {
    mock.control.addFault({ method: "CreateVolume", kind: "fail", code: "INTERNAL" });
    const { leader, other } = await startPair(["--retry-interval-max=100ms"]);
    await Promise.all(Array.from({ length: 50 }, (_, index) => makeClaim(`busy-${index}`)));
    await expect.poll(() => new Set(calls.map(({ subject }) => subject)).size, { timeout: 20_000 }).toBeGreaterThan(50);
    const stoppedMs = performance.now();
    leader.process.signal("SIGTERM");
    const { atMs } = await acts(other, 10_000);
    console.log(`acted ${Math.round(atMs - stoppedMs)} ms after SIGTERM of a busy leader`);
    expect(atMs - stoppedMs).toBeLessThan(ACTS_WITHIN_MS);
    expect(await leader.process.stop("SIGTERM")).toBe(0);
    expect(outOfTurn(calls)).toEqual([]);
  });

  it("take over within the lease's time when the leader is killed, with the default times", async () => {
    const { leader, other } = await startPair();
    const killedMs = performance.now();
    leader.process.signal("SIGKILL");
    await makeClaim("second");
    const { atMs } = await acts(other, 40_000);
    console.log(`acted ${Math.round(atMs - killedMs)} ms after SIGKILL`);
    expect(atMs - killedMs).toBeLessThan(DEFAULT_LEASE_MS + ACTS_WITHIN_MS);
    expect(outOfTurn(calls)).toEqual([]);
  });

  it("never both act, however long the leader is paused", async () => {
    const short = [
      "--leader-election-lease-duration=3s",
      "--leader-election-renew-deadline=2s",
      "--leader-election-retry-period=500ms",
      "--retry-interval-max=100ms",
      "--v=4",
    ];
    // Each refused call is tried again soon: whoever leads has something to do at every moment.
    mock.control.addFault({ method: "CreateVolume", kind: "fail", code: "INTERNAL" });
    let { leader, other } = await startPair(short);
    await Promise.all(Array.from({ length: 10 }, (_, index) => makeClaim(`busy-${index}`)));
    // A call that was being sent when its process was paused arrives when it goes on: no process can take that back (design 004).
    const onTheirWay = new Set<MarkedCall>();
    for (let round = 1; round <= PAUSES; round++) {
      await sleep(Math.random() * 500);
      const pausedMs = performance.now();
      leader.process.signal("SIGSTOP");
      await acts(other, 20_000);
      const [resumedMs, resumedAtMs] = [performance.now(), Date.now()];
      leader.process.signal("SIGCONT");
      // It finds out by itself that it does not lead any more.
      expect(await Promise.race([leader.process.ended.then(() => leader.process.child.exitCode), sleep(20_000)])).toBe(
        1,
      );
      console.log(`the other acted ${Math.round((firstCall(other)?.atMs ?? 0) - pausedMs)} ms after SIGSTOP`);
      expect(begunSince(leader, 0)).not.toEqual([]);
      expect(begunSince(leader, resumedAtMs)).toEqual([]);
      const { name } = leader;
      calls
        .filter(({ replica, atMs }) => replica === name && atMs >= resumedMs)
        .forEach((call) => onTheirWay.add(call));
      expect(outOfTurn(calls.filter((call) => !onTheirWay.has(call)))).toEqual([]);
      leader = other;
      other = await startReplica(`other-${round}`, short);
      await stands(other);
    }
    const counts = Map.groupBy(calls.filter(isAct), ({ replica }) => replica);
    console.log([...counts].map(([replica, made]) => `${replica}: ${made.length} calls`).join(", "));
  }, 300_000);
});

const PAUSES = 4;
