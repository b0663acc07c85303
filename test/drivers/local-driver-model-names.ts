import { join } from "node:path";
import { VolumeCapability_AccessMode_Mode as Mode } from "@stowage/csi";
import type { FileName, SizeRange, SizeStep, SnapshotName, TargetName, VolumeName } from "./local-driver-model.ts";

export type ModelKind = "ext4" | "xfs" | "btrfs" | "block";

const mebibyte = 1024n * 1024n;
/** The smallest volume of the kind, and what each step adds. */
const steps: Readonly<Record<ModelKind, bigint>> = { ext4: 16n, xfs: 304n, btrfs: 256n, block: 8n };
const accessMode = { mode: Mode.SINGLE_NODE_WRITER };
const blockCapability = { accessType: { case: "block" as const, value: {} }, accessMode };
const mountCapability = (fsType: string) => ({ accessType: { case: "mount" as const, value: { fsType } }, accessMode });

export const fileBytes = 16 * 1024;
/** Where what would be a file lies on a raw device. */
export const offsets: Readonly<Record<FileName, number>> = { a: 0, b: fileBytes, c: 2 * fileBytes };
export const contentOf = (file: FileName, fill: number) => Buffer.alloc(fileBytes, `${file} ${fill}\n`);

/** What the model's names stand for in the driver's world. */
export class ModelNames {
  readonly kind: ModelKind;
  readonly folder: string;
  readonly user: string;
  /** Ids follow from names: once seen, they stay. */
  readonly volumeIds = new Map<VolumeName, string>();
  readonly snapshotIds = new Map<SnapshotName, string>();

  constructor({ kind, folder, user }: Pick<ModelNames, "kind" | "folder" | "user">) {
    this.kind = kind;
    this.folder = folder;
    this.user = user;
  }

  get isBlock(): boolean {
    return this.kind === "block";
  }

  get capability() {
    return this.kind === "block" ? blockCapability : mountCapability(this.kind);
  }

  volumeId(name: VolumeName): string {
    return this.volumeIds.get(name) ?? `vol-of-${this.user}-never-made`;
  }

  snapshotId(name: SnapshotName): string {
    return this.snapshotIds.get(name) ?? `snap-of-${this.user}-never-taken`;
  }

  source(from: VolumeName | SnapshotName) {
    return from === "data" || from === "copy"
      ? { case: "volume" as const, value: { volumeId: this.volumeId(from) } }
      : { case: "snapshot" as const, value: { snapshotId: this.snapshotId(from) } };
  }

  imagePath(name: VolumeName): string {
    return join(this.folder, "state/contents/volumes", this.volumeId(name));
  }

  stagingPath(name: VolumeName): string {
    return `${this.pathPrefix}${name}-stage`;
  }

  targetPath(name: VolumeName, target: TargetName): string {
    return `${this.pathPrefix}${name}-${target}`;
  }

  /** Of every path that is this user's. */
  get pathPrefix(): string {
    return join(this.folder, "kubelet", `${this.user}-`);
  }

  bytes(size: SizeStep): bigint {
    return steps[this.kind] * BigInt(size + 1) * mebibyte;
  }

  range({ size, limit }: SizeRange) {
    return { requiredBytes: this.bytes(size), limitBytes: limit === undefined ? 0n : this.bytes(limit) };
  }
}
