import { open, stat, truncate } from "node:fs/promises";
import type { Executor } from "@stowage/csi/host";
import type { FaultPoint } from "../fault-points.ts";
import { refusal } from "../requests/refusal.ts";
import { removeDurably, syncFile } from "../state/durable-file.ts";
import { contentAilment, imageAilment } from "./content-health.ts";
import type { ContentPlan, Contents } from "./contents.ts";
import { detectFileSystem, type FileSystem, fileSystemOf, fileSystemTypes, missingPrograms } from "./file-systems.ts";
import type { LoopDevices } from "./loop-devices.ts";

export interface ImageContentsDeps {
  readonly executor: Executor;
  readonly loopDevices: LoopDevices;
  readonly faultPoint: FaultPoint;
}

const copyTimeoutMs = 6 * 3600_000;

/** Volumes as sparse files: the size is the quota, space is taken as it is written. */
export function createImageContents({ executor, loopDevices, faultPoint }: ImageContentsDeps): Contents {
  return {
    kind: "image",
    async check(plan) {
      if (plan.access === "mount") await supportedFileSystem(executor, plan.fsType);
    },
    async make(path, plan) {
      await makeSparseFile(path, plan.capacityBytes);
      await faultPoint("image:allocated");
      if (plan.access === "mount") await (await supportedFileSystem(executor, plan.fsType)).make(executor, path);
      await syncFile(path);
      await faultPoint("image:formatted");
    },
    async capture(from, to) {
      await executor.run(["cp", "--reflink=auto", "--sparse=auto", from, to], { timeoutMs: copyTimeoutMs });
      await syncFile(to);
      await faultPoint("image:copied");
    },
    async adopt(path, plan) {
      const fsType = await adoptImage(executor, path, plan);
      await faultPoint("image:adopted");
      return fsType;
    },
    async resize(path, capacityBytes) {
      // Never shrinks: what lies beyond the end would be lost.
      if ((await stat(path, { bigint: true })).size >= capacityBytes) return;
      await truncate(path, Number(capacityBytes));
      await syncFile(path);
      await faultPoint("image:resized");
    },
    async remove(path) {
      for (const device of await loopDevicesOf(loopDevices, path)) await loopDevices.detach(device);
      await removeDurably(path, faultPoint);
    },
    ailment: (path, capacityBytes) => contentAilment(path, (found) => imageAilment(path, found, capacityBytes)),
  };
}

/** The file system of that type, if this node has its programs. */
async function supportedFileSystem(executor: Executor, type: string): Promise<FileSystem> {
  const fileSystem = fileSystemOf(type);
  if (!fileSystem) {
    const known = fileSystemTypes.join(", ");
    throw refusal("INVALID_ARGUMENT", `The file system type ${type} is not supported.`, `Use one of ${known}.`);
  }
  const missing = await missingPrograms(executor, fileSystem);
  if (missing.length > 0) {
    throw refusal(
      "FAILED_PRECONDITION",
      `The file system type ${type} is not supported on this node: ${missing.join(", ")} not installed.`,
      "Install the file system's programs on the node, or use another type.",
    );
  }
  return fileSystem;
}

async function makeSparseFile(path: string, bytes: bigint): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    await file.truncate(Number(bytes));
  } finally {
    await file.close();
  }
}

async function adoptImage(executor: Executor, path: string, plan: ContentPlan): Promise<string> {
  // A source whose growth failed half-way may be larger than its record says, with a file system that fills it.
  if ((await stat(path, { bigint: true })).size < plan.capacityBytes) await truncate(path, Number(plan.capacityBytes));
  let fsType = "";
  if (plan.access === "mount") {
    const found = await detectFileSystem(executor, path);
    const fileSystem = await supportedFileSystem(executor, found === "" ? plan.fsType : found);
    // A raw volume that nobody has written a file system to is restored as an empty one.
    if (found === "") await fileSystem.make(executor, path);
    else await fileSystem.makeDistinct(executor, path);
    fsType = fileSystem.type;
  }
  await syncFile(path);
  return fsType;
}

async function loopDevicesOf(loopDevices: LoopDevices, path: string) {
  const isThere = await stat(path).then(
    () => true,
    () => false,
  );
  return isThere ? loopDevices.of(path) : [];
}
