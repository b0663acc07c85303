import { StowageError } from "@stowage/machinery";
import { describe, expect, it } from "vitest";
import { CloudPatience } from "../cloud-config/index.ts";
import { desiredStep, destroyOwned, listOwned } from "./destruction.ts";
import { cloudVolume, hurriedClock, MemoryCloud, throttled } from "./fixtures/memory-cloud.ts";
import { usualMarks } from "./ownership-mark.ts";

function setUp(onSleep?: (sleptMs: number) => void) {
  const cloud = new MemoryCloud();
  const clock = hurriedClock(onSleep);
  const stop = new AbortController();
  const deps = { cloud, clock, patience: new CloudPatience(clock), signal: stop.signal };
  const destroy = (timeoutMs = 60_000) => destroyOwned(deps, { clusterId: "mine", timeoutMs, onProgress() {} });
  return { cloud, deps, destroy, stop };
}

const others = { tags: { "kubernetes.io/cluster/theirs": "owned" } };

describe("listing what a cluster owns", () => {
  it("goes through every page of every kind, and leaves out what is another's", async () => {
    const { cloud, deps } = setUp();
    cloud.add(...["a", "b", "c", "d", "e", "f", "g"].map((id) => cloudVolume(id)));
    cloud.add(cloudVolume("x", others), cloudVolume("s", { kind: "snapshot" }));
    const found = await listOwned(deps, "mine");
    expect(found.map(({ id }) => id)).toEqual(["s", "a", "b", "c", "d", "e", "f", "g"]);
  });
});

describe("what has to happen to a volume", () => {
  const marks = usualMarks("mine");

  it.each([
    ["it is ours and free", cloudVolume("v"), "delete"],
    ["something uses it", cloudVolume("v", { state: "used" }), "wait"],
    ["it is on its way out", cloudVolume("v", { state: "going" }), "wait"],
    ["it is another's by now", cloudVolume("v", others), "spare"],
    ["it is another's and in use", cloudVolume("v", { ...others, state: "used" }), "spare"],
    ["it is gone", undefined, "forget"],
  ] as const)("when %s", (_, volume, step) => {
    expect(desiredStep(volume, marks)).toBe(step);
  });
});

describe("destroying what a cluster owns", () => {
  it("deletes snapshots before volumes, and nothing of others", async () => {
    const { cloud, destroy } = setUp();
    cloud.add(cloudVolume("a"), cloudVolume("x", others), cloudVolume("s", { kind: "snapshot" }));
    expect(await destroy()).toEqual({ deleted: 2, left: [] });
    expect(cloud.deletions).toEqual(["s", "a"]);
    expect([...cloud.volumes.keys()]).toEqual(["x"]);
  });

  it("spares what becomes another's between the list and the deletion", async () => {
    const { cloud, destroy } = setUp();
    cloud.add(cloudVolume("a"));
    cloud.before = (what) => what === "read" && cloud.add(cloudVolume("a", others));
    expect(await destroy()).toEqual({ deleted: 0, left: [] });
    expect(cloud.deletions).toEqual([]);
  });

  it("waits for what is in use, and deletes it when it comes free", async () => {
    const { cloud, destroy } = setUp(() => sleeps++ === 2 && cloud.add(cloudVolume("a")));
    let sleeps = 0;
    cloud.add(cloudVolume("a", { state: "used", users: ["i-1"] }));
    expect(await destroy()).toEqual({ deleted: 1, left: [] });
    expect(sleeps).toBeGreaterThan(2);
  });

  it("says who uses what is left when the time is over", async () => {
    const { cloud, destroy } = setUp();
    cloud.add(cloudVolume("a"), cloudVolume("b", { state: "used", users: ["i-1", "i-2"] }));
    const { deleted, left } = await destroy(30_000);
    expect(deleted).toBe(1);
    expect(left.map(({ volume, reason }) => [volume.id, reason])).toEqual([["b", "it is in use by i-1, i-2"]]);
  });

  it("tries everything once when there is no time at all", async () => {
    const { cloud, destroy } = setUp();
    cloud.add(cloudVolume("a"), cloudVolume("b", { state: "going" }));
    const { deleted, left } = await destroy(0);
    expect(deleted).toBe(1);
    expect(left.map(({ reason }) => reason)).toEqual(["it is being deleted, and not gone yet"]);
  });

  it("tries again what the cloud holds back, and not what it refuses", async () => {
    const { cloud, destroy } = setUp();
    cloud.add(cloudVolume("held"), cloudVolume("refused"));
    const tries = { held: 0, refused: 0 };
    cloud.before = (what, id) => {
      if (what !== "delete") return;
      tries[id as keyof typeof tries] += 1;
      if (id === "refused") throw new StowageError("CLOUD_REFUSED", "may not");
      if (tries.held < 3) throw new StowageError("VOLUME_HELD", "has snapshots");
    };
    const { deleted, left } = await destroy();
    expect(deleted).toBe(1);
    expect(left.map(({ volume, reason }) => [volume.id, reason])).toEqual([["refused", "may not"]]);
    expect(tries).toEqual({ held: 3, refused: 1 });
  });

  it("slows down when it is throttled, and loses nothing", async () => {
    const slept: number[] = [];
    const { cloud, deps, destroy } = setUp((sleptMs) => slept.push(sleptMs));
    cloud.add(...["a", "b", "c", "d"].map((id) => cloudVolume(id)));
    let requests = 0;
    cloud.before = () => {
      requests += 1;
      if (requests % 2 === 0) throw throttled();
    };
    expect(await destroy()).toEqual({ deleted: 4, left: [] });
    expect(deps.patience.retries).toBeGreaterThan(4);
    expect(slept.length).toBeGreaterThan(3);
  });

  it("gives up when the cloud has answered nothing else for minutes", async () => {
    const { cloud, destroy } = setUp();
    cloud.before = () => {
      throw throttled();
    };
    await expect(destroy()).rejects.toMatchObject({ code: "CLOUD_THROTTLED" });
  });

  it("gives up soon where nothing has ever answered", async () => {
    let sleptMs = 0;
    const { cloud, destroy } = setUp((waitMs) => {
      sleptMs += waitMs;
    });
    cloud.before = () => {
      throw new StowageError("CLOUD_UNREACHABLE", "nobody there");
    };
    await expect(destroy()).rejects.toMatchObject({ code: "CLOUD_UNREACHABLE" });
    expect(sleptMs).toBeLessThan(30_000);
  });

  it("begins nothing more when it is interrupted", async () => {
    const { cloud, destroy, stop } = setUp();
    cloud.add(...Array.from({ length: 40 }, (_, index) => cloudVolume(`v${index}`)));
    cloud.before = (what) => what === "delete" && cloud.deletions.length === 10 && stop.abort(new Error("stopped"));
    await expect(destroy()).rejects.toThrow("stopped");
    expect(cloud.deletions.length).toBeLessThan(20);
    const again = setUp();
    again.cloud.add(...cloud.volumes.values());
    expect(await again.destroy()).toEqual({ deleted: cloud.volumes.size, left: [] });
  });
});
