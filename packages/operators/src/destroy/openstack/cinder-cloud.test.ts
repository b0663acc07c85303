import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CloudPatience } from "../../cloud-config/index.ts";
import { destroyOwned, listOwned } from "../destruction.ts";
import { FakeOpenStack } from "../fixtures/fake-openstack.ts";
import { hurriedClock } from "../fixtures/memory-cloud.ts";
import { connectToCinder } from "./cinder-access.ts";
import type { CinderItem } from "./cinder-volumes.ts";

let openstack: FakeOpenStack;

beforeEach(async () => {
  openstack = await FakeOpenStack.start();
});

afterEach(() => openstack[Symbol.asyncDispose]());

function setUp() {
  const clock = hurriedClock();
  const cloud = connectToCinder({ cloudsText: openstack.cloudsText, where: "a test", env: {}, clock });
  const signal = new AbortController().signal;
  const deps = { cloud, patience: new CloudPatience(clock), clock, signal };
  const destroy = (timeoutMs: number) => destroyOwned(deps, { clusterId: "mine", timeoutMs, onProgress() {} });
  return { cloud, deps, signal, destroy };
}

const mark = { "cinder.csi.openstack.org/cluster": "mine" };

function addVolume(id: string, changes: Partial<CinderItem> = {}): void {
  openstack.volumes.set(id, {
    id,
    name: id,
    size: 2,
    status: "available",
    metadata: mark,
    attachments: [],
    ...changes,
  });
}

describe("volumes of Cinder", () => {
  it("are listed by each mark that drivers write, over all pages, and with their size", async () => {
    for (let index = 0; index < 1_100; index += 1) {
      addVolume(`v${index}`, index % 2 === 0 ? {} : { metadata: { "cinder.csi.openstack.org/cluster": "theirs" } });
    }
    addVolume("labelled", { metadata: { "kubernetes-io-cluster-mine": "owned" } });
    const found = await listOwned(setUp().deps, "mine");
    expect(found).toHaveLength(551);
    expect(found.at(-1)).toMatchObject({ id: "labelled", sizeBytes: 2n * 1024n ** 3n, state: "free" });
    expect(openstack.requests.filter((line) => line === "GET volumes/detail")).toHaveLength(3);
  });

  it("are deleted after their snapshots, and those of others stay", async () => {
    addVolume("a");
    addVolume("x", { metadata: { "cinder.csi.openstack.org/cluster": "theirs" } });
    openstack.snapshots.set("s", { id: "s", size: 2, status: "available", metadata: mark, volume_id: "a" });
    expect(await setUp().destroy(5_000)).toEqual({ deleted: 2, left: [] });
    expect([...openstack.volumes.keys()]).toEqual(["x"]);
    expect(openstack.requests.filter((line) => line.startsWith("DELETE"))).toEqual([
      "DELETE snapshots/s",
      "DELETE volumes/a",
    ]);
  });

  it("stay when a server has them or a snapshot of somebody else needs them, and it is said why", async () => {
    addVolume("used", { status: "in-use", attachments: [{ server_id: "server-1" }] });
    addVolume("needed");
    openstack.snapshots.set("s", { id: "s", status: "available", metadata: {}, volume_id: "needed" });
    const { deleted, left } = await setUp().destroy(0);
    expect(deleted).toBe(0);
    expect(left.map(({ volume, reason }) => [volume.id, reason])).toEqual([
      ["used", "it is in use by server-1"],
      ["needed", expect.stringContaining("HTTP 400: it is attached, changing, or has snapshots")],
    ]);
  });

  it("are deleted all the same when Cinder throttles, and when the token ends", async () => {
    addVolume("a");
    addVolume("b");
    openstack.failures = { status: 413, count: 3 };
    const { deps, destroy } = setUp();
    await listOwned(deps, "mine");
    openstack.tokens += 1;
    expect(await destroy(5_000)).toEqual({ deleted: 2, left: [] });
    expect(deps.patience.retries).toBe(3);
  });

  it.each([
    [429, "CLOUD_THROTTLED"],
    [413, "CLOUD_THROTTLED"],
    [503, "CLOUD_THROTTLED"],
    [500, "CLOUD_UNREACHABLE"],
    [400, "VOLUME_HELD"],
    [409, "VOLUME_HELD"],
    [403, "CLOUD_REFUSED"],
  ] as const)("are not deleted by an answer of HTTP %i: %s", async (status, code) => {
    const { cloud, signal } = setUp();
    openstack.failures = { status, count: 1 };
    await expect(cloud.delete({ kind: "volume", id: "a" }, signal)).rejects.toMatchObject({ code });
  });

  it("are gone already when Cinder does not know them", async () => {
    const { cloud, signal } = setUp();
    await expect(cloud.delete({ kind: "volume", id: "a" }, signal)).resolves.toBeUndefined();
    expect(await cloud.read({ kind: "snapshot", id: "a" }, signal)).toBeUndefined();
  });
});
