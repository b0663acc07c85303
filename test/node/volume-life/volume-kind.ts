import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { type Cluster, eventually } from "../kubelet/cluster.ts";
import type { DriverProcess } from "../kubelet/driver-process.ts";
import type { MockGrip } from "../kubelet/mock-control.ts";
import { device, mounted, type PodVolume } from "../kubelet/pods.ts";
import { loopDevices } from "../kubelet/traces.ts";
import type { ClaimWish } from "./storage-objects.ts";

const MIB = 1024n ** 2n;

/** A volume in a Pod. */
export interface VolumeUse {
  readonly pod: string;
  readonly volumeId: string;
}

/** A kind of volume, and how what is in it is written and read by a Pod. */
export interface VolumeKind extends ClaimWish {
  readonly name: string;
  readonly driver: DriverProcess;
  readonly fsType?: string;
  readonly biggerBytes: bigint;
  podVolume(claim: string): PodVolume;
  write(pod: string, text: string): Promise<void>;
  expectText(pod: string, text: string): Promise<void>;
  expectBytes(use: VolumeUse, bytes: bigint): Promise<void>;
  /** That the attributes of the driver's VolumeAttributesClass hold for a volume in use. */
  expectModified(volumeId: string): Promise<void>;
}

const READ_AHEAD_KIB = "384";

export const localAttributes = { readAheadKiB: READ_AHEAD_KIB };
export const guardedAttributes = { iops: "500" };

/** Grows while it is mounted, also where ext4 may not. */
export function xfsKind({ shell }: Cluster, driver: DriverProcess, className: string): VolumeKind {
  return {
    name: "xfs",
    driver,
    className,
    fsType: "xfs",
    volumeMode: "Filesystem",
    sizeBytes: 320n * MIB,
    biggerBytes: 480n * MIB,
    podVolume: (claim) => mounted(claim),
    write: async (pod, text) => void (await shell(pod, `echo ${text} > /data/file; sync`)),
    expectText: async (pod, text) => expect(await shell(pod, "cat /data/file")).toBe(text),
    async expectBytes({ pod }, bytes) {
      const kib = Number(await shell(pod, "df -k /data | tail -1 | awk '{ print $2 }'"));
      // xfs keeps some for its log.
      expect(kib).toBeGreaterThan(Number(bytes / 1024n) * 0.75);
    },
    expectModified: (volumeId) => expectReadAhead(driver, volumeId),
  };
}

export function rawKind({ shell }: Cluster, driver: DriverProcess, className: string): VolumeKind {
  return {
    name: "raw",
    driver,
    className,
    volumeMode: "Block",
    sizeBytes: 16n * MIB,
    biggerBytes: 32n * MIB,
    podVolume: device,
    write: async (pod, text) => void (await shell(pod, `echo ${text} | dd of=/dev/raw conv=fsync`)),
    expectText: async (pod, text) => expect(await shell(pod, "head -n 1 /dev/raw")).toBe(text),
    expectBytes: async ({ pod }, bytes) => expect(await shell(pod, "blockdev --getsize64 /dev/raw")).toBe(`${bytes}`),
    expectModified: (volumeId) => expectReadAhead(driver, volumeId),
  };
}

async function expectReadAhead({ stateDir }: DriverProcess, volumeId: string): Promise<void> {
  await eventually(async () => {
    const [line = ""] = (await loopDevices([volumeId])).filter((each) => each.includes(stateDir));
    const device = line.split(" ")[0]?.replace("/dev/", "") ?? "";
    expect(readFileSync(`/sys/block/${device}/queue/read_ahead_kb`, "utf8").trim()).toBe(READ_AHEAD_KIB);
  });
}

/** Of the mock: nothing is kept, but every call must carry its secret. */
export function guardedKind(driver: DriverProcess, grip: MockGrip, className: string): VolumeKind {
  const find = async (volumeId: string) => (await grip.state()).volumes.find(({ id }) => id === volumeId);
  return {
    name: "guarded",
    driver,
    className,
    volumeMode: "Filesystem",
    sizeBytes: 64n * MIB,
    biggerBytes: 128n * MIB,
    podVolume: (claim) => mounted(claim),
    write: async () => {},
    expectText: async () => {},
    expectBytes: async ({ volumeId }, bytes) =>
      expect(`${(await find(volumeId))?.capacityBytes}`, volumeId).toBe(`${bytes}`),
    expectModified: async (volumeId) =>
      expect((await find(volumeId))?.mutableParameters, volumeId).toEqual(guardedAttributes),
  };
}
