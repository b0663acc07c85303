import { createHash } from "node:crypto";
import { closeSync, openSync, readdirSync, readSync } from "node:fs";
import { join } from "node:path";
import type { CsiClient } from "@stowage/csi";
import { expect, vi } from "vitest";
import { filesBelow, isMountOf, loopsBelow, mountsBelow } from "./local-driver-traces.ts";

/** Bytes that were written and synced: at the start of a file, or at an offset of a device. */
export interface Kept {
  readonly name: string;
  readonly offset: number;
  readonly length: number;
  readonly sha256: string;
}

export const sha256Of = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");

/** What the driver has acknowledged and nobody has asked it to take back: all of it must be there after any crash. */
export class Ledger {
  /** Ids with the size that was promised. */
  readonly volumes = new Map<string, bigint>();
  readonly snapshots = new Set<string>();
  /** Paths where a volume was staged or published, with what was written to it. */
  readonly mounts = new Map<string, { readonly isReadOnly: boolean; readonly kept: readonly Kept[] }>();
}

export function expectKept(path: string, kept: readonly Kept[]): void {
  for (const { name, offset, length, sha256 } of kept) {
    const place = name === "" ? path : join(path, name);
    const file = openSync(place, "r");
    try {
      const bytes = Buffer.alloc(length);
      readSync(file, bytes, 0, length, offset);
      expect(sha256Of(bytes), `what was synced to ${place} at ${offset}`).toBe(sha256);
    } finally {
      closeSync(file);
    }
  }
}

const patience = { timeout: 20_000 };

/** Nothing half made: records and contents in pairs, nothing under way, one device an image, one mount a path. */
export async function expectWhole(folder: string): Promise<void> {
  const names = (directory: string) => readdirSync(join(folder, "state", directory)).sort();
  const records = (directory: string) => names(directory).map((name) => name.replace(/\.json$/, ""));
  expect(names("contents/volumes"), "contents of volumes").toEqual(records("volumes"));
  expect(names("contents/snapshots"), "contents of snapshots").toEqual(records("snapshots"));
  expect(names("intents"), "operations under way").toEqual([]);
  expect(names("broken"), "damaged files").toEqual([]);
  const mounts = mountsBelow(folder);
  const points = mounts.map(({ point }) => point).sort();
  expect(points, "mounts on top of each other").toEqual([...new Set(points)]);
  // The kernel lets go of a device when the last who looks at it does, which may be a moment later.
  await vi.waitFor(() => {
    const loops = loopsBelow(folder);
    const unused = loops.filter(({ device }) => !mounts.some((mount) => isMountOf(mount, device)));
    expect(unused, "loop devices that nothing uses").toEqual([]);
    const images = loops.map(({ backingFile, isReadOnly }) => `${backingFile} ${isReadOnly}`).sort();
    expect(images, "several devices for an image").toEqual([...new Set(images)]);
  }, patience);
}

/** Everything that was acknowledged is there. */
export async function expectAcknowledged(client: CsiClient, folder: string, ledger: Ledger): Promise<void> {
  const { volumes, snapshots, mounts } = ledger;
  const listed = (await client.controller.listVolumes({})).entries;
  const sizes = new Map(listed.map(({ volume }) => [volume?.volumeId ?? "", volume?.capacityBytes ?? 0n]));
  for (const [id, bytes] of volumes) expect(sizes.get(id) ?? 0n, `the size of ${id}`).toBeGreaterThanOrEqual(bytes);
  const listedSnapshots = (await client.controller.listSnapshots({})).entries;
  const snapshotIds = new Set(listedSnapshots.map(({ snapshot }) => snapshot?.snapshotId ?? ""));
  for (const id of snapshots) expect(snapshotIds, "the snapshots").toContain(id);
  const seen = new Map(mountsBelow(folder).map(({ point, isReadOnly }) => [point, isReadOnly]));
  for (const [path, { isReadOnly, kept }] of mounts) {
    expect(seen.get(path), `${path} is mounted, read-only or not`).toBe(isReadOnly);
    expectKept(path, kept);
  }
}

/** When everything was deleted: no file but the owner's mark, no device, no mount. */
export async function expectNothingLeft(folder: string): Promise<void> {
  expect(filesBelow(join(folder, "state"))).toEqual(["owner"]);
  expect(mountsBelow(folder)).toEqual([]);
  await vi.waitFor(() => expect(loopsBelow(folder)).toEqual([]), patience);
}
