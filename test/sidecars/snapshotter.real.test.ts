import type { Fault } from "@stowage/drivers";
import {
  secrets,
  snapshotAnnotations,
  type VolumeSnapshot,
  volumeSnapshotClasses,
  volumeSnapshotContents,
  volumeSnapshots,
} from "@stowage/machinery";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { SnapshotBench, SOON } from "./snapshot-bench.ts";

let bench: SnapshotBench;
let className: string;

beforeAll(async () => {
  bench = await SnapshotBench.start();
  className = await bench.makeClass("class");
});

afterAll(async () => {
  await bench[Symbol.asyncDispose]();
});

beforeEach(() => {
  bench.bench.driver.clearFaults();
  bench.bench.driver.clearCalls();
});

async function take(name: string, volumeSnapshotClassName = className): Promise<VolumeSnapshot> {
  return await bench.makeSnapshot(name, { source: { persistentVolumeClaimName: name }, volumeSnapshotClassName });
}

function storedOf({ metadata }: VolumeSnapshot): string[] {
  return bench.storedSnapshots().filter((name) => name === `snapshot-${metadata.uid}`);
}

function callsOf(method: string, { metadata }: VolumeSnapshot) {
  return bench.bench.driver
    .calls(method)
    .filter(({ request }) => (request as { name?: string }).name === `snapshot-${metadata.uid}`);
}

type Kind = Pick<Fault, "kind"> & Partial<Record<"code" | "delayMs", unknown>>;

/** The sidecar waits half a second for an answer. */
const TOO_LONG_MS = 700;

const ways: readonly (readonly [string, Kind, RegExp])[] = [
  ["hangs", { kind: "hang" }, /DeadlineExceeded/u],
  ["begins too late", { kind: "slow", delayMs: TOO_LONG_MS }, /DeadlineExceeded/u],
  ["answers too late", { kind: "late", delayMs: TOO_LONG_MS }, /DeadlineExceeded/u],
  ["loses its answer", { kind: "lostReply" }, /Unavailable/u],
  ["is busy with it", { kind: "fail", code: "ABORTED" }, /Aborted/u],
  ["is short of something", { kind: "fail", code: "RESOURCE_EXHAUSTED" }, /ResourceExhausted/u],
  ["refuses", { kind: "fail", code: "INVALID_ARGUMENT" }, /InvalidArgument/u],
];

describe("CreateSnapshot", () => {
  it.each(ways)("is repeated when the driver %s once, and one snapshot is taken", async (way, fault, message) => {
    const name = `once-${way.replaceAll(" ", "-")}`;
    await bench.makeClaim(name);
    const volume = `${bench.namespace}-${name}`;
    bench.bench.driver.addFault({ method: "CreateSnapshot", volume, times: 1, ...fault } as Fault);
    const snapshot = await take(name);
    await bench.ready(name);
    expect(callsOf("CreateSnapshot", snapshot)).toHaveLength(2);
    expect(storedOf(snapshot)).toHaveLength(1);
    const content = await bench.contentOf(snapshot);
    expect(content.status).not.toHaveProperty("error");
    const said = String.raw`^Warning SnapshotCreationFailed Failed to create snapshot: failed to take snapshot of the volume vol-`;
    await bench.event(content, new RegExp(`${said}.*${message.source}`, "u"));
    await bench.delete(volumeSnapshots, snapshot);
    await bench.gone(volumeSnapshots, snapshot);
    expect(storedOf(snapshot)).toEqual([]);
  });

  it("leaves the intent while the driver may be at work, and takes it back when the driver refused", async () => {
    const driver = bench.bench.driver;
    await Promise.all(["open", "final"].map((name) => bench.makeClaim(name)));
    driver.addFault({ method: "CreateSnapshot", volume: `${bench.namespace}-open`, kind: "hang" });
    driver.addFault({ method: "CreateSnapshot", volume: `${bench.namespace}-final`, kind: "fail", code: "INTERNAL" });
    const [open, final] = await Promise.all([take("open"), take("final")]);
    await vi.waitFor(async () => {
      const { metadata, status } = await bench.contentOf(open);
      expect(status?.error?.message).toMatch(
        /The driver may still be at work: the call is repeated until it answers\.$/u,
      );
      expect(metadata.annotations).toHaveProperty([snapshotAnnotations.beingCreated], "yes");
    }, SOON);
    await vi.waitFor(async () => {
      const { metadata, status } = await bench.contentOf(final);
      expect(status?.error?.message).toMatch(
        /code = Internal .*It is tried again; if it goes on, read the driver's log\.$/u,
      );
      expect(metadata.annotations ?? {}).not.toHaveProperty([snapshotAnnotations.beingCreated]);
    }, SOON);
    expect((await bench.failed("final", /code = Internal/u)).status?.readyToUse).toBe(false);
    for (const snapshot of [open, final]) await bench.delete(volumeSnapshots, snapshot);
    driver.clearFaults();
    for (const snapshot of [open, final]) await bench.gone(volumeSnapshots, snapshot);
    expect([...storedOf(open), ...storedOf(final)]).toEqual([]);
  });

  it("leaks nothing when the snapshot is deleted while the driver is at work", async () => {
    const cases = ways.slice(0, 4).map(([, fault], index) => ({ name: `deleted-${index}`, fault }));
    const taken = await Promise.all(cases.map(({ name, fault }) => begun(name, fault)));
    await Promise.all(taken.map((snapshot) => bench.delete(volumeSnapshots, snapshot)));
    await Promise.all(
      taken.map((snapshot) =>
        vi.waitFor(
          async () => expect((await bench.contentOf(snapshot)).metadata.deletionTimestamp).toBeDefined(),
          SOON,
        ),
      ),
    );
    bench.bench.driver.clearFaults();
    await Promise.all(taken.map((snapshot) => bench.gone(volumeSnapshots, snapshot)));
    expect(taken.flatMap(storedOf)).toEqual([]);
  });

  it("leaks nothing when the process ends while the driver is at work, and the snapshot is deleted meanwhile", async () => {
    const cases = ways.slice(0, 4).map(([, fault], index) => ({ name: `crash-${index}`, fault }));
    const taken = await Promise.all(cases.map(({ name, fault }) => begun(name, fault)));
    await bench.bench.stopSidecars();
    bench.bench.driver.clearFaults();
    for (const [index, snapshot] of taken.entries()) {
      await bench.delete(volumeSnapshots, snapshot);
      // Half of the contents by hand too.
      if (index % 2 === 0) await bench.delete(volumeSnapshotContents, await bench.contentOf(snapshot));
      const { metadata, status } = await bench.contentOf(snapshot);
      expect(metadata.annotations).toHaveProperty([snapshotAnnotations.beingCreated], "yes");
      expect(status ?? {}).not.toHaveProperty("snapshotHandle");
    }
    bench.bench.driver.clearCalls();
    await bench.restart();
    await Promise.all(taken.map((snapshot) => bench.gone(volumeSnapshots, snapshot)));
    for (const snapshot of taken) {
      expect(callsOf("CreateSnapshot", snapshot)).toHaveLength(1);
      expect(storedOf(snapshot)).toEqual([]);
    }
    expect(bench.bench.driver.calls("DeleteSnapshot")).toHaveLength(taken.length);
  });

  it("goes on where the last process ended between noting the snapshot and taking the intent back", async () => {
    await bench.makeClaim("noted");
    const snapshot = await take("noted");
    await bench.ready("noted");
    await bench.bench.stopSidecars();
    const { metadata } = await bench.contentOf(snapshot);
    const intent = { metadata: { annotations: { [snapshotAnnotations.beingCreated]: "yes" } } };
    await bench.client.patch(volumeSnapshotContents, { name: metadata.name ?? "" }, { type: "merge", patch: intent });
    await bench.delete(volumeSnapshots, snapshot);
    await bench.restart();
    await bench.gone(volumeSnapshots, snapshot);
    expect(storedOf(snapshot)).toEqual([]);
  });

  /** A snapshot whose intent is written and whose first call has come to nothing that anybody here knows of. */
  async function begun(name: string, fault: Kind): Promise<VolumeSnapshot> {
    await bench.makeClaim(name);
    const volume = `${bench.namespace}-${name}`;
    bench.bench.driver.addFault({ method: "CreateSnapshot", volume, ...fault } as Fault);
    const snapshot = await take(name);
    await vi.waitFor(async () => {
      expect((await bench.contentOf(snapshot)).status?.error).toBeDefined();
      expect(callsOf("CreateSnapshot", snapshot).some(({ code }) => code !== undefined)).toBe(true);
    }, SOON);
    return snapshot;
  }
});

describe("DeleteSnapshot", () => {
  it.each(ways)("is repeated when the driver %s once", async (way, fault, message) => {
    const name = `delete-${way.replaceAll(" ", "-")}`;
    await bench.makeClaim(name);
    const snapshot = await take(name);
    await bench.ready(name);
    const content = await bench.contentOf(snapshot);
    bench.bench.driver.addFault({ method: "DeleteSnapshot", times: 1, ...fault } as Fault);
    await bench.delete(volumeSnapshots, snapshot);
    await bench.gone(volumeSnapshots, snapshot);
    expect(storedOf(snapshot)).toEqual([]);
    await bench.event(
      content,
      new RegExp(`^Warning SnapshotDeleteError Failed to delete snapshot: .*${message.source}`, "u"),
    );
  });
});

describe("what the driver is told", () => {
  // One controller in a cluster: those below bring their own.
  beforeAll(() => bench.bench.stopSidecars());

  it("is the class's parameters without the sidecars' own, the secret, and on request the names of the objects", async () => {
    await using here = await SnapshotBench.start({
      snapshotter: { extraCreateMetadata: true, snapshotNamePrefix: "snap", snapshotNameUuidLength: 8 },
      driver: { secrets: { CreateSnapshot: { key: "s3cret" }, DeleteSnapshot: { key: "s3cret" } } },
    });
    const { client, namespace } = here;
    const data = { key: Buffer.from("s3cret").toString("base64") };
    const secret = await client.create(secrets, { metadata: { namespace, name: "told-secret" }, data });
    const parameters = {
      tier: "cold",
      "csi.storage.k8s.io/snapshotter-secret-name": "${volumesnapshot.name}-secret",
      "csi.storage.k8s.io/snapshotter-secret-namespace": "${volumesnapshot.namespace}",
    };
    const told = await here.makeClass("told", { parameters });
    await here.makeClaim("told");
    const spec = { source: { persistentVolumeClaimName: "told" }, volumeSnapshotClassName: told };
    await here.makeSnapshot("told", spec);
    const snapshot = await here.ready("told");
    const { request } = here.bench.driver.calls("CreateSnapshot")[0] ?? {};
    const contentName = `snapcontent-${snapshot.metadata.uid}`;
    expect(request).toMatchObject({
      name: `snap-${snapshot.metadata.uid?.slice(0, 8)}`,
      parameters: {
        tier: "cold",
        "csi.storage.k8s.io/volumesnapshot/name": "told",
        "csi.storage.k8s.io/volumesnapshot/namespace": namespace,
        "csi.storage.k8s.io/volumesnapshotcontent/name": contentName,
      },
    });
    // The snapshot, its class and its Secret's name may all be gone by then.
    await client.delete(volumeSnapshotClasses, { name: told });
    await client.delete(secrets, { namespace, name: "told-secret" });
    await here.delete(volumeSnapshots, snapshot);
    const content = await here.contentOf(snapshot);
    await here.event(
      content,
      /^Warning SnapshotDeleteError Failed to delete snapshot: secrets "told-secret" not found$/u,
    );
    await client.create(secrets, { metadata: { namespace, name: "told-secret" }, data: secret.data });
    await here.gone(volumeSnapshots, snapshot);
    expect(here.storedSnapshots()).toEqual([]);
  });
});

describe("a snapshot that is not ready at once", () => {
  it("is asked for again until it is, without writing the intent anew", async () => {
    await using here = await SnapshotBench.start({ driver: { snapshotDelayMs: 1_500 } });
    const slow = await here.makeClass("slow");
    await here.makeClaim("slow");
    here.requests.length = 0;
    const spec = { source: { persistentVolumeClaimName: "slow" }, volumeSnapshotClassName: slow };
    await here.makeSnapshot("slow", spec);
    await vi.waitFor(async () => {
      const { status } = await here.snapshot("slow");
      expect(status).toMatchObject({ readyToUse: false, restoreSize: "1Gi" });
      expect(status?.creationTime).toBeDefined();
    }, SOON);
    const snapshot = await here.ready("slow");
    expect(here.bench.driver.calls("CreateSnapshot").length).toBeGreaterThan(2);
    expect(here.requests.filter((request) => request === "patch volumesnapshotcontents")).toHaveLength(2);
    expect(here.requests.filter((request) => request === "patch volumesnapshotcontents/status")).toHaveLength(2);
    expect(here.bench.driver.calls("GetPluginInfo").length).toBeLessThan(5);
    await here.event(snapshot, /^Normal SnapshotReady /u);
  });
});
