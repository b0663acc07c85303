import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { CsiClient } from "@stowage/csi";
import { expect, vi } from "vitest";
import type { FileName, Model, ModelVolume, TargetName, VolumeName } from "./local-driver-model.ts";
import { contentOf, fileBytes, type ModelNames, offsets } from "./local-driver-model-names.ts";
import { loopsBelow, mountsBelow } from "./local-driver-traces.ts";

/** Nothing differs between the model and what the kernel has mounted and attached, and what the volumes hold. */
export async function expectAsModelled(names: ModelNames, model: Model): Promise<void> {
  const volumes = [...model.volumes];
  const seen = mountsBelow(names.folder).filter(({ point }) => point.startsWith(names.pathPrefix));
  expect(Object.fromEntries(seen.map(({ point, isReadOnly }) => [point, isReadOnly])), "mounts").toEqual(
    Object.fromEntries(volumes.flatMap(([name, volume]) => expectedMounts(names, name, volume))),
  );
  for (const [name, volume] of volumes) {
    for (const target of ["left", "right"] as const) expectContents(names, { name, volume, target });
  }
  const isAttached = (volume: ModelVolume) => (names.isBlock ? volume.isAttached : model.isInUse(volume));
  const attached = volumes.filter(([, volume]) => isAttached(volume)).map(([name]) => names.imagePath(name));
  await expectLoops(names, attached);
}

function expectedMounts(names: ModelNames, name: VolumeName, { isStaged, targets }: ModelVolume): [string, boolean][] {
  const published = [...targets].map(([target, { isReadOnly }]): [string, boolean] => [
    names.targetPath(name, target),
    isReadOnly,
  ]);
  return isStaged && !names.isBlock ? [[names.stagingPath(name), false], ...published] : published;
}

interface PlaceOfContents {
  readonly name: VolumeName;
  readonly volume: ModelVolume;
  readonly target: TargetName;
}

function expectContents(names: ModelNames, { name, volume, target }: PlaceOfContents): void {
  const path = names.targetPath(name, target);
  const isPublished = volume.targets.has(target);
  expect(existsSync(path), `${path} is there, as the volume is published there`).toBe(isPublished);
  if (!isPublished) return;
  if (!names.isBlock) {
    const found = readdirSync(path).filter((file) => file !== "lost+found");
    expect(found.sort(), `files in ${path}`).toEqual([...volume.files.keys()].sort());
  }
  for (const [file, fill] of volume.files) {
    const isSame = readPart(names, path, file).equals(contentOf(file, fill));
    expect(isSame, `${file} of ${path} holds what was written last`).toBe(true);
  }
}

function readPart(names: ModelNames, path: string, file: FileName): Buffer {
  if (!names.isBlock) return readFileSync(join(path, file));
  return readFileSync(path).subarray(offsets[file], offsets[file] + fileBytes);
}

const patience = { timeout: 20_000 };

/** The kernel lets go of a device when the last who looks at it does, which may be a moment later. */
async function expectLoops(names: ModelNames, attached: readonly string[]): Promise<void> {
  const own = new Set([...names.volumeIds.keys()].map((name) => names.imagePath(name)));
  await vi.waitFor(() => {
    const seen = loopsBelow(names.folder).map(({ backingFile }) => backingFile.replace(/ \(deleted\)$/, ""));
    expect(seen.filter((file) => own.has(file)).sort(), "loop devices").toEqual(attached.toSorted());
  }, patience);
}

/** Nothing differs between the model and what the driver lists. */
export async function expectListed(
  controller: CsiClient["controller"],
  names: ModelNames,
  model: Model,
): Promise<void> {
  const volumes = (await controller.listVolumes({})).entries.map(
    ({ volume }) => [volume?.volumeId ?? "", volume?.capacityBytes] as const,
  );
  const ownVolumes = new Set(names.volumeIds.values());
  expect(Object.fromEntries(volumes.filter(([id]) => ownVolumes.has(id))), "volumes").toEqual(
    Object.fromEntries([...model.volumes].map(([name, { size }]) => [names.volumeId(name), names.bytes(size)])),
  );
  const snapshots = (await controller.listSnapshots({})).entries.map(
    ({ snapshot }) => [snapshot?.snapshotId ?? "", `${snapshot?.sourceVolumeId} ${snapshot?.sizeBytes}`] as const,
  );
  const ownSnapshots = new Set(names.snapshotIds.values());
  expect(Object.fromEntries(snapshots.filter(([id]) => ownSnapshots.has(id))), "snapshots").toEqual(
    Object.fromEntries(
      [...model.snapshots].map(([name, { volume, size }]) => [
        names.snapshotId(name),
        `${names.volumeId(volume)} ${names.bytes(size)}`,
      ]),
    ),
  );
}
