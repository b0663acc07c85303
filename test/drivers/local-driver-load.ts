import { open, readdir, rmdir, statfs } from "node:fs/promises";
import { join } from "node:path";
import { type CsiClient, VolumeCapability_AccessMode_Mode as Mode } from "@stowage/csi";
import { expect } from "vitest";
import type { DriverHost } from "./local-driver-host.ts";
import { expectKept, type Kept, type Ledger, sha256Of } from "./local-driver-ledger.ts";
import type { SeededRandom } from "./local-driver-random.ts";

export type VolumeKind = "ext4" | "xfs" | "block";

export interface LoadDeps {
  readonly host: DriverHost;
  readonly ledger: Ledger;
  readonly random: SeededRandom;
  /** Part of every name, so that users do not meet. */
  readonly user: string;
  readonly kind: VolumeKind;
}

/** A volume as its user knows it. */
interface Held {
  readonly name: string;
  readonly id: string;
  readonly kept: Kept[];
  sizeBytes: bigint;
}

type Source = { case: "snapshot"; value: { snapshotId: string } } | { case: "volume"; value: { volumeId: string } };

const accessMode = { mode: Mode.SINGLE_NODE_WRITER };
const blockCapability = { accessType: { case: "block" as const, value: {} }, accessMode };
const mountCapability = (fsType: string) => ({ accessType: { case: "mount" as const, value: { fsType } }, accessMode });
const mebibyte = 1024n * 1024n;
const sizes: Readonly<Record<VolumeKind, bigint>> = { ext4: 16n, xfs: 304n, block: 8n };
const writeBytes = 16 * 1024;
const writeDeadlineMs = 60_000;

/** One user of the driver: makes volumes, writes, copies, grows and deletes them, and expects each call to be done in the end. */
export class LoadUser {
  readonly #deps: LoadDeps;
  #count = 0;

  constructor(deps: LoadDeps) {
    this.#deps = deps;
  }

  /** A volume's whole life, with the copies that are made of it; nothing is left of them afterwards. */
  async live(): Promise<void> {
    const { random, user, kind } = this.#deps;
    const name = `${user}-${this.#count++}`;
    const volume = await this.#create(name, sizes[kind] * mebibyte);
    await this.#mount(volume);
    await this.#write(volume);
    if (random.isOneIn(2)) await this.#copyBySnapshot(volume);
    if (random.isOneIn(2)) await this.#copyByClone(volume);
    if (random.isOneIn(2)) await this.#grow(volume);
    if (random.isOneIn(4)) await this.#readBeside(volume);
    await this.#discard(volume);
  }

  async #create(name: string, sizeBytes: bigint, type?: Source): Promise<Held> {
    const request = {
      name,
      capacityRange: { requiredBytes: sizeBytes },
      volumeCapabilities: [this.#capability],
      volumeContentSource: type && { type },
    };
    const { volume } = await this.#ask(({ controller }) => controller.createVolume(request));
    const id = volume?.volumeId ?? "";
    expect(volume?.capacityBytes).toBe(sizeBytes);
    this.#deps.ledger.volumes.set(id, sizeBytes);
    return { name, id, kept: [], sizeBytes };
  }

  async #mount({ name, id, kept }: Held): Promise<void> {
    const staging = { volumeId: id, stagingTargetPath: this.#at(name, "stage"), volumeCapability: this.#capability };
    await this.#ask(({ node }) => node.nodeStageVolume(staging));
    const targetPath = this.#at(name, "target");
    await this.#ask(({ node }) => node.nodePublishVolume({ ...staging, targetPath, readonly: false }));
    // A raw device that is staged shows in no table, and is let go of at a restart until it is published.
    if (this.#deps.kind !== "block")
      this.#deps.ledger.mounts.set(staging.stagingTargetPath, { isReadOnly: false, kept });
    this.#deps.ledger.mounts.set(targetPath, { isReadOnly: false, kept });
    expectKept(targetPath, kept);
  }

  async #unmount({ name, id: volumeId }: Held): Promise<void> {
    const stagingTargetPath = this.#at(name, "stage");
    const targetPath = this.#at(name, "target");
    this.#deps.ledger.mounts.delete(targetPath);
    await this.#ask(({ node }) => node.nodeUnpublishVolume({ volumeId, targetPath }));
    this.#deps.ledger.mounts.delete(stagingTargetPath);
    await this.#ask(({ node }) => node.nodeUnstageVolume({ volumeId, stagingTargetPath }));
    if (this.#deps.kind !== "block") await rmdir(stagingTargetPath);
  }

  async #write({ name, kept }: Held): Promise<void> {
    const bytes = this.#deps.random.bytes(writeBytes);
    const isBlock = this.#deps.kind === "block";
    const fileName = isBlock ? "" : `file-${kept.length}`;
    const offset = isBlock ? kept.length * writeBytes : 0;
    const target = this.#at(name, "target");
    await inTime(writeSynced(isBlock ? target : join(target, fileName), bytes, offset), `writing to ${target}`);
    kept.push({ name: fileName, offset, length: bytes.length, sha256: sha256Of(bytes) });
  }

  /** What is written while a copy is taken may be in it or not; what was synced before must be. */
  async #copyBySnapshot(volume: Held): Promise<void> {
    const before = [...volume.kept];
    const request = { name: `${volume.name}-snapshot`, sourceVolumeId: volume.id };
    const [{ snapshot }] = await Promise.all([
      this.#ask(({ controller }) => controller.createSnapshot(request)),
      this.#write(volume),
    ]);
    const snapshotId = snapshot?.snapshotId ?? "";
    this.#deps.ledger.snapshots.add(snapshotId);
    const source = { case: "snapshot" as const, value: { snapshotId } };
    await this.#expectCopy(await this.#create(`${volume.name}-restored`, volume.sizeBytes, source), before);
    this.#deps.ledger.snapshots.delete(snapshotId);
    await this.#ask(({ controller }) => controller.deleteSnapshot({ snapshotId }));
  }

  async #copyByClone(volume: Held): Promise<void> {
    const before = [...volume.kept];
    const source = { case: "volume" as const, value: { volumeId: volume.id } };
    const [clone] = await Promise.all([
      this.#create(`${volume.name}-clone`, volume.sizeBytes, source),
      this.#write(volume),
    ]);
    await this.#expectCopy(clone, before);
  }

  async #expectCopy(copy: Held, kept: readonly Kept[]): Promise<void> {
    copy.kept.push(...kept);
    await this.#mount(copy);
    if (this.#deps.kind !== "block") {
      const files = (await readdir(this.#at(copy.name, "target"))).filter((name) => name.startsWith("file-"));
      expect(files.length - kept.length, "files that were being written meanwhile").toBeLessThanOrEqual(1);
    }
    await this.#discard(copy);
  }

  /** Mounted where that can be done everywhere, unmounted elsewhere. */
  async #grow(volume: Held): Promise<void> {
    const isOnline = this.#deps.kind === "xfs";
    const sizeBytes = volume.sizeBytes * 2n;
    const request = { volumeId: volume.id, capacityRange: { requiredBytes: sizeBytes } };
    if (!isOnline) await this.#unmount(volume);
    await this.#ask(({ controller }) => controller.controllerExpandVolume(request));
    volume.sizeBytes = sizeBytes;
    this.#deps.ledger.volumes.set(volume.id, sizeBytes);
    if (!isOnline) await this.#mount(volume);
    const volumePath = this.#at(volume.name, "target");
    const answer = await this.#ask(({ node }) => node.nodeExpandVolume({ volumeId: volume.id, volumePath }));
    expect(answer.capacityBytes).toBe(sizeBytes);
    if (this.#deps.kind !== "block") {
      const { bsize, blocks } = await statfs(volumePath);
      expect(bsize * blocks, `the file system of ${volume.name}`).toBeGreaterThan(Number(sizeBytes) * 0.7);
    }
    await this.#write(volume);
  }

  /** A second, read-only target beside the writable one. */
  async #readBeside({ name, id: volumeId, kept }: Held): Promise<void> {
    if (this.#deps.kind === "block") return;
    const targetPath = this.#at(name, "reader");
    const request = {
      volumeId,
      stagingTargetPath: this.#at(name, "stage"),
      targetPath,
      volumeCapability: this.#capability,
      readonly: true,
    };
    await this.#ask(({ node }) => node.nodePublishVolume(request));
    this.#deps.ledger.mounts.set(targetPath, { isReadOnly: true, kept });
    await expect(open(join(targetPath, "forbidden"), "w")).rejects.toMatchObject({ code: "EROFS" });
    this.#deps.ledger.mounts.delete(targetPath);
    await this.#ask(({ node }) => node.nodeUnpublishVolume({ volumeId, targetPath }));
  }

  async #discard(volume: Held): Promise<void> {
    expectKept(this.#at(volume.name, "target"), volume.kept);
    await this.#unmount(volume);
    this.#deps.ledger.volumes.delete(volume.id);
    await this.#ask(({ controller }) => controller.deleteVolume({ volumeId: volume.id }));
  }

  /** Asks until it is done, and now and then once more: the answer must be the same. */
  async #ask<T>(send: (client: CsiClient) => Promise<T>): Promise<T> {
    const { host, random } = this.#deps;
    const isAskedTwice = random.isOneIn(4);
    const answer = await host.call(send);
    if (isAskedTwice) expect(await host.call(send)).toEqual(answer);
    return answer;
  }

  get #capability() {
    const { kind } = this.#deps;
    return kind === "block" ? blockCapability : mountCapability(kind);
  }

  #at(name: string, role: string): string {
    return join(this.#deps.host.folder, "kubelet", `${name}-${role}`);
  }
}

async function writeSynced(path: string, bytes: Buffer, offset: number): Promise<void> {
  const file = await open(path, offset === 0 && path.includes("/file-") ? "wx" : "r+");
  try {
    await file.write(bytes, 0, bytes.length, offset);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** A file system that a crash left frozen keeps its writers for ever: that is to be said, not waited for. */
async function inTime<T>(work: Promise<T>, what: string): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`${what} takes longer than ${writeDeadlineMs} ms`)), writeDeadlineMs);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
