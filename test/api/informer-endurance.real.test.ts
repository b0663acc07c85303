import { connect, createServer, type Socket } from "node:net";
import {
  type ConnectionConfig,
  createClient,
  createInformer,
  createTransport,
  loadKubeconfig,
  objectKey,
} from "@stowage/kube";
import { type Lab, startTemporaryLab } from "@stowage/lab";
import { type PersistentVolume, persistentVolumes, silentLogger, systemClock } from "@stowage/machinery";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const VOLUMES = 10_000;
const UPDATES = 20_000;
const RESETS = 100;
const WRITERS = 24;

/** A relay on loopback between the informer and the API server, whose connections a test can cut. */
async function startRelay(target: URL) {
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.on("error", () => {}); // A cut connection is what this is for.
      socket.on("close", () => open.delete(socket));
    }
    client.on("close", () => upstream.destroy());
    upstream.on("close", () => client.destroy());
    client.pipe(upstream).pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  return {
    port,
    /** Resets every connection; returns how many there were. */
    cut(): number {
      const count = open.size;
      for (const socket of open) socket.resetAndDestroy();
      return count;
    },
    async close() {
      this.cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const volume = (index: number): Omit<PersistentVolume, "apiVersion" | "kind"> => ({
  metadata: { name: `endurance-${String(index).padStart(5, "0")}`, labels: { round: "0" } },
  spec: {
    capacity: { storage: "1Gi" },
    accessModes: ["ReadWriteOnce"],
    csi: { driver: "endurance.stowage.example", volumeHandle: `handle-${index}` },
  },
});

/** Runs `work` for 0 … count-1, a few at a time, in order of number. */
async function inParallel(count: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: WRITERS }, worker));
}

/** The server is being restarted under the writer's feet: keep trying until it is back. */
async function untilDone<T>(attempt: () => Promise<T>): Promise<T> {
  const giveUpAtMs = performance.now() + 120_000;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (performance.now() > giveUpAtMs) throw error;
      await systemClock.sleep(100);
    }
  }
}

describe("an informer of 10,000 volumes", () => {
  let lab: Lab;
  let connection: ConnectionConfig;

  beforeAll(async () => {
    lab = await startTemporaryLab({});
    connection = await loadKubeconfig({ path: lab.kubeconfigPath, env: {}, homeDir: "/" });
  }, 600_000);
  afterAll(() => lab?.stop());

  it("equals a fresh list after 20,000 updates, 100 resets and two kills of the API server, and never goes back", async () => {
    const writer = createClient({ transport: createTransport(connection) });
    await inParallel(VOLUMES, async (index) => {
      await writer.create(persistentVolumes, volume(index));
    });

    const relay = await startRelay(new URL(connection.server));
    const serverName = connection.tls.serverName ?? new URL(connection.server).hostname;
    const transport = createTransport({
      ...connection,
      server: `https://127.0.0.1:${relay.port}`,
      tls: { ...connection.tls, serverName },
    });
    const informer = createInformer({
      client: createClient({ transport }),
      type: persistentVolumes,
      clock: systemClock,
      logger: silentLogger,
    });

    // What handlers are told, replayed: versions per object only rise, and the replay ends as the cache does.
    const replay = new Map<string, bigint>();
    const disorder: string[] = [];
    let events = 0;
    const told = (what: string, object: PersistentVolume) => {
      events++;
      const key = objectKey(object);
      const version = BigInt(object.metadata.resourceVersion ?? "0");
      const before = replay.get(key);
      const isKnown = before !== undefined;
      if (isKnown && version <= before) disorder.push(`${what} ${key}: ${version} after ${before}`);
      if ((what === "add") === isKnown) disorder.push(`${what} ${key}, which was ${isKnown ? "known" : "unknown"}`);
      replay.set(key, version);
    };
    informer.addHandler({
      onAdd: (object) => told("add", object),
      onUpdate: (object) => told("update", object),
      onDelete: (object) => {
        events++;
        replay.delete(objectKey(object));
      },
    });
    const stop = new AbortController();
    const running = informer.run(stop.signal);
    await informer.waitForSync({ timeoutMs: 60_000 });
    expect(informer.objects.size).toBe(VOLUMES);

    // Faults come at random places in the run of updates: fixed in number, not in time.
    const faults = new Map<number, "reset" | "kill">();
    while (faults.size < RESETS) faults.set(1 + Math.floor(Math.random() * (UPDATES - 2)), "reset");
    faults.set(Math.floor(UPDATES / 3), "kill");
    faults.set(Math.floor((UPDATES * 2) / 3), "kill");
    let resets = 0;
    let kills = 0;
    let restarting: Promise<unknown> = Promise.resolve();
    await inParallel(UPDATES, async (index) => {
      const name = volume(index % VOLUMES).metadata.name as string;
      const patch = { metadata: { labels: { round: String(index) } } };
      await untilDone(() => writer.patch(persistentVolumes, { name }, { type: "merge", patch }));
      const fault = faults.get(index);
      if (fault === "reset") {
        relay.cut();
        resets++;
      } else if (fault === "kill") {
        kills++;
        restarting = restarting.then(async () => {
          await lab.kill("kube-apiserver");
          await lab.start("kube-apiserver");
        });
      }
    });
    await restarting;
    expect(kills).toBe(2);
    expect(resets).toBeGreaterThanOrEqual(RESETS - 2);

    // From here on nobody else writes. The marker is written last: an informer that has it has everything before it.
    await lab.kill("kube-controller-manager");
    const marker = await untilDone(() =>
      writer.create(persistentVolumes, { ...volume(VOLUMES), metadata: { name: "marker" } }),
    );
    await expect.poll(() => informer.objects.get({ name: "marker" }) !== undefined, { timeout: 60_000 }).toBe(true);
    const fresh = await writer.listAll(persistentVolumes);
    expect(fresh.items.length).toBe(VOLUMES + 1);

    expect(differences(informer.objects.list(), fresh.items)).toEqual([]);
    expect(disorder).toEqual([]);
    expect([...replay.keys()].sort()).toEqual([...informer.objects.keys()].sort());
    expect(marker.metadata.uid).toBe(informer.objects.get({ name: "marker" })?.metadata.uid);
    console.log(`${events} events told, ${resets} resets, ${kills} kills of the API server`);

    stop.abort();
    await running;
    transport.close();
    await relay.close();
  }, 900_000);
});

/** What does not agree byte for byte; a few of them are enough to see what is wrong. */
function differences(cached: readonly PersistentVolume[], listed: readonly PersistentVolume[]): string[] {
  const bytesByKey = new Map(cached.map((object) => [objectKey(object), bytesOf(object)]));
  const found: string[] = [];
  for (const object of listed) {
    const bytes = bytesByKey.get(objectKey(object));
    bytesByKey.delete(objectKey(object));
    if (bytes !== bytesOf(object)) found.push(`cached ${bytes}, listed ${bytesOf(object)}`);
  }
  for (const key of bytesByKey.keys()) found.push(`cached ${key}, which is not listed`);
  return found.slice(0, 5);
}

function bytesOf(object: PersistentVolume): string {
  return JSON.stringify(sorted({ ...object, metadata: { ...object.metadata, managedFields: undefined } }));
}

/** The same object with its keys in order, all the way down, so that equal objects have equal bytes. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== "object") return value;
  const entries = Object.entries(value).filter(([, child]) => child !== undefined);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, child]) => [key, sorted(child)]));
}
