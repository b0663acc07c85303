import { linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { NodeServiceCapability_RPC_Type as NodeType, VolumeUsage_Unit } from "@stowage/csi";
import { type Pod, silentLogger, type Volume } from "@stowage/machinery";
import { ManualClock } from "@stowage/machinery/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { askedUsage, usageOf } from "./driver-usage.ts";
import { NodeStats, type NodeStatsDeps } from "./node-stats.ts";
import { SizeGuard } from "./size-guard.ts";
import { exceededLimit } from "./size-limits.ts";
import { podStats, volumeStats } from "./summary-document.ts";
import { volumeMetricsText } from "./volume-metrics.ts";
import { folderUsage, type VolumeUsage } from "./volume-usage.ts";

const never = new AbortController().signal;
const usage: VolumeUsage = {
  timeMs: 1_800_000_000_000,
  availableBytes: 6n << 30n,
  capacityBytes: 10n << 30n,
  usedBytes: 4n << 30n,
  inodes: 1000n,
  inodesFree: 990n,
  inodesUsed: 10n,
};
const pod = (...volumes: Volume[]): Pod => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "web", namespace: "shop", uid: "u" },
  spec: { containers: [{ name: "main" }], volumes },
  status: { phase: "Running", startTime: "2027-01-15T08:00:00Z" },
});
const claimed: Volume = { name: "data", persistentVolumeClaim: { claimName: "disk" } };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "stats-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("the use of a folder", () => {
  it("is that of all files in it, each once, and of no link's end", async () => {
    mkdirSync(join(folder, "v", "deep"), { recursive: true });
    const before = await folderUsage(join(folder, "v"), 1, never);
    expect(before.inodesUsed).toBe(2n);
    writeFileSync(join(folder, "v", "deep", "a"), Buffer.alloc(100_000, 1));
    linkSync(join(folder, "v", "deep", "a"), join(folder, "v", "same"));
    writeFileSync(join(folder, "large"), Buffer.alloc(1_000_000, 1));
    symlinkSync("../large", join(folder, "v", "link"));
    const after = await folderUsage(join(folder, "v"), 1, never);
    expect(after.inodesUsed).toBe(4n);
    const grownBytes = after.usedBytes - before.usedBytes;
    expect(grownBytes).toBeGreaterThanOrEqual(100_000n);
    expect(grownBytes).toBeLessThan(200_000n);
    expect(after.capacityBytes).toBeGreaterThan(after.availableBytes);
  });
});

describe("what a node tells of volumes", () => {
  it("names the claim of a volume, and its health when the driver knows it", () => {
    expect(volumeStats(pod(), claimed, usage)).toEqual({
      time: "2027-01-15T08:00:00Z",
      availableBytes: 6 * 1024 ** 3,
      capacityBytes: 10 * 1024 ** 3,
      usedBytes: 4 * 1024 ** 3,
      inodes: 1000,
      inodesFree: 990,
      inodesUsed: 10,
      name: "data",
      pvcRef: { name: "disk", namespace: "shop" },
    });
    const health = { isAbnormal: true, message: "disk on fire" };
    expect(volumeStats(pod(), { name: "own", ephemeral: {} }, { ...usage, health })).toMatchObject({
      pvcRef: { name: "web-own", namespace: "shop" },
      volumeHealthStats: { abnormal: true },
    });
    expect(volumeStats(pod(), { name: "tmp", emptyDir: {} }, usage)).not.toHaveProperty("pvcRef");
  });

  it("counts what is on the node's own disk", () => {
    const volumes: Volume[] = [
      claimed,
      { name: "tmp", emptyDir: {} },
      { name: "memory", emptyDir: { medium: "Memory" } },
    ];
    const all = new Map(volumes.map(({ name }) => [name, usage]));
    const stats = podStats(pod(...volumes), all, { ...usage, usedBytes: 9n });
    expect(stats.volume?.map(({ name }) => name)).toEqual(["tmp", "data", "memory"]);
    expect(stats["ephemeral-storage"]).toMatchObject({ usedBytes: 4 * 1024 ** 3, inodesUsed: 10, inodes: 1000 });
  });

  it("is a metric for each claim, once", () => {
    const one = podStats(pod(claimed), new Map([["data", usage]]), undefined);
    const text = volumeMetricsText([one, one]);
    expect(text.split("\n").slice(0, 6)).toEqual([
      "# HELP kubelet_volume_stats_available_bytes [ALPHA] Number of available bytes in the volume",
      "# TYPE kubelet_volume_stats_available_bytes gauge",
      'kubelet_volume_stats_available_bytes{namespace="shop",persistentvolumeclaim="disk"} 6.442450944e+09',
      "# HELP kubelet_volume_stats_capacity_bytes [ALPHA] Capacity in bytes of the volume",
      "# TYPE kubelet_volume_stats_capacity_bytes gauge",
      'kubelet_volume_stats_capacity_bytes{namespace="shop",persistentvolumeclaim="disk"} 1.073741824e+10',
    ]);
    expect(text).toContain('kubelet_volume_stats_inodes{namespace="shop",persistentvolumeclaim="disk"} 1000\n');
    expect(text).not.toContain("health");
    expect(volumeMetricsText([podStats(pod({ name: "t", emptyDir: {} }), new Map([["t", usage]]), undefined)])).toBe(
      "",
    );
  });
});

describe("what a driver tells of a volume", () => {
  const { BYTES, INODES } = VolumeUsage_Unit;
  const answers = [
    { unit: BYTES, available: 6n, total: 10n, used: 4n },
    { unit: INODES, available: 90n, total: 100n, used: 10n },
  ];
  function node(types: readonly NodeType[]) {
    const asked: unknown[] = [];
    const capabilities = types.map((type) => ({ type: { case: "rpc" as const, value: { type } } }));
    const volumeCondition = { abnormal: true, message: "disk on fire" };
    const calls = {
      nodeGetCapabilities: async () => ({ capabilities }),
      nodeGetVolumeStats: async (request: object) => {
        asked.push(request);
        return { usage: answers, volumeCondition };
      },
    };
    return { asked, calls: calls as unknown as Parameters<typeof askedUsage>[0] };
  }
  const volume = { volumeId: "v", volumePath: "/v" };

  it("are bytes and inodes, as far as it knows them", () => {
    expect(usageOf(answers, 1)).toMatchObject({
      availableBytes: 6n,
      capacityBytes: 10n,
      usedBytes: 4n,
      inodesFree: 90n,
    });
    expect(usageOf(answers.slice(0, 1), 1)).toMatchObject({ usedBytes: 4n, inodes: 0n });
    expect(() => usageOf([], 1)).toThrow("usage is nil");
  });

  it("is asked for only where it can be, and health only where the driver says so", async () => {
    const deaf = node([]);
    expect(await askedUsage(deaf.calls, volume, 1, never)).toBeUndefined();
    expect(deaf.asked).toEqual([]);
    const plain = node([NodeType.GET_VOLUME_STATS]);
    expect(await askedUsage(plain.calls, volume, 1, never)).not.toHaveProperty("health");
    expect(plain.asked).toEqual([volume]);
    const both = node([NodeType.GET_VOLUME_STATS, NodeType.VOLUME_CONDITION]);
    expect(await askedUsage(both.calls, volume, 1, never)).toMatchObject({ health: { isAbnormal: true } });
  });
});

describe("a folder with a limit", () => {
  const limited = pod({ name: "tmp", emptyDir: { sizeLimit: "1024Mi" } });
  const used = (usedBytes: bigint) => new Map([["tmp", { ...usage, usedBytes }]]);

  it("may be as large as that and no larger", () => {
    expect(exceededLimit(limited, used(1n << 30n))).toBeUndefined();
    expect(exceededLimit(limited, used((1n << 30n) + 1n))).toEqual({
      reason: "Evicted",
      message: 'Usage of EmptyDir volume "tmp" exceeds the limit "1Gi". ',
    });
    expect(exceededLimit(limited, new Map())).toBeUndefined();
    expect(exceededLimit(pod({ name: "tmp", emptyDir: {} }), used(1n << 40n))).toBeUndefined();
    expect(exceededLimit(pod({ name: "tmp", emptyDir: { sizeLimit: "0" } }), used(1n))).toBeUndefined();
  });

  it("takes its Pod with it when it grows over it", async () => {
    const evicted: unknown[] = [];
    let usedBytes = 1n;
    const critical = { ...limited, spec: { ...limited.spec, priority: 2_000_000_000 } };
    const objects = { list: () => [limited, { ...limited, status: { phase: "Pending" } }, critical] };
    const guard = new SizeGuard({
      pods: { objects } as unknown as NodeStatsDeps["pods"],
      stats: { folders: async () => used(usedBytes) },
      clock: new ManualClock(),
      logger: silentLogger,
      evict: (...args) => void evicted.push(args),
    });
    await guard.look(never);
    expect(evicted).toEqual([]);
    usedBytes = 2n << 30n;
    await guard.look(never);
    expect(evicted).toEqual([["u", expect.objectContaining({ reason: "Evicted" })]]);
  });
});

describe("a node", () => {
  function stats(more: Partial<NodeStatsDeps>, ...present: Pod[]) {
    const clock = new ManualClock();
    const objects = { list: () => present } as unknown as NodeStatsDeps["pods"]["objects"];
    const deps = { pods: { objects }, nodeName: "node-1", podsFolder: folder, clock, logger: silentLogger };
    return { clock, stats: new NodeStats({ ...deps, ...more }) };
  }

  it("measures folders itself and asks drivers for the rest", async () => {
    const path = join(folder, "u", "volumes", "kubernetes.io~empty-dir", "tmp");
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, "file"), "x");
    const own = pod(claimed, { name: "tmp", emptyDir: {} }, { name: "etc", hostPath: { path: "/etc" } });
    const over: Pod = { ...own, status: { phase: "Succeeded" } };
    const scene = stats({ driverUsage: async () => usage }, own, over);
    const summary = await scene.stats.summary(never);
    expect(summary.node).toMatchObject({ nodeName: "node-1", fs: { capacityBytes: expect.any(Number) } });
    expect(summary.pods).toHaveLength(1);
    expect(summary.pods[0]?.volume).toMatchObject([
      { name: "tmp", inodesUsed: 2 },
      { name: "data", pvcRef: { name: "disk" }, usedBytes: 4 * 1024 ** 3 },
    ]);
  });

  it("leaves out what cannot be measured, and looks again after a minute", async () => {
    let asked = 0;
    const driverUsage = async () => {
      if (++asked === 1) throw new Error("the driver is away");
      return { ...usage, usedBytes: BigInt(asked) };
    };
    const { stats: own, clock } = stats({ driverUsage }, pod(claimed, { name: "none", emptyDir: {} }));
    expect((await own.pods(never))[0]).not.toHaveProperty("volume");
    expect((await own.pods(never))[0]?.volume).toMatchObject([{ usedBytes: 2 }]);
    expect((await own.pods(never))[0]?.volume).toMatchObject([{ usedBytes: 2 }]);
    await clock.advance(60_001);
    expect((await own.pods(never))[0]?.volume).toMatchObject([{ usedBytes: 3 }]);
  });
});
