import { open } from "node:fs/promises";
import { join } from "node:path";
import { type CsiClient, isCsiError } from "@stowage/csi";
import { expect } from "vitest";
import type { Answer, Model, Operation, VolumeName } from "./local-driver-model.ts";
import { contentOf, fileBytes, type ModelNames, offsets } from "./local-driver-model-names.ts";

export interface CallDeps {
  readonly client: CsiClient;
  readonly names: ModelNames;
  /** As it is after the operation: answers are compared with it. */
  readonly model: Model;
}

type Of<Kind extends Operation["kind"]> = Extract<Operation, { kind: Kind }>;

/** Carries the operation out: what the driver answers, or the kernel where no driver is asked. */
export async function perform(deps: CallDeps, operation: Operation): Promise<Answer> {
  try {
    await calls[operation.kind](deps, operation as never);
    return "OK";
  } catch (error) {
    // An internal failure is never what the model expects: its words are wanted, not its code.
    if (isCsiError(error) && error.grpcCode !== "INTERNAL") return error.grpcCode;
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "EROFS") return code;
    throw error;
  }
}

const calls: { readonly [Kind in Operation["kind"]]: (deps: CallDeps, operation: Of<Kind>) => Promise<unknown> } = {
  create,
  snapshot,
  write,
  stats,
  delete: ({ client, names }, { volume }) => client.controller.deleteVolume({ volumeId: names.volumeId(volume) }),
  deleteSnapshot: ({ client, names }, operation) =>
    client.controller.deleteSnapshot({ snapshotId: names.snapshotId(operation.snapshot) }),
  async get(deps, { volume: name }) {
    const { volume } = await deps.client.controller.controllerGetVolume({ volumeId: deps.names.volumeId(name) });
    expect(volume?.capacityBytes).toBe(modelledBytes(deps, name));
  },
  async expand(deps, { volume, range }) {
    const request = { volumeId: deps.names.volumeId(volume), capacityRange: deps.names.range(range) };
    const { capacityBytes } = await deps.client.controller.controllerExpandVolume(request);
    expect(capacityBytes).toBe(modelledBytes(deps, volume));
  },
  stage: ({ client, names }, { volume }) => client.node.nodeStageVolume(staging(names, volume)),
  unstage({ client, names }, { volume }) {
    const { volumeId, stagingTargetPath } = staging(names, volume);
    return client.node.nodeUnstageVolume({ volumeId, stagingTargetPath });
  },
  publish({ client, names }, { volume, target, isReadOnly }) {
    const targetPath = names.targetPath(volume, target);
    return client.node.nodePublishVolume({ ...staging(names, volume), targetPath, readonly: isReadOnly });
  },
  unpublish({ client, names }, { volume, target }) {
    const targetPath = names.targetPath(volume, target);
    return client.node.nodeUnpublishVolume({ volumeId: names.volumeId(volume), targetPath });
  },
  async nodeExpand(deps, { volume, target }) {
    const { client, names } = deps;
    const volumePath = names.targetPath(volume, target);
    const { capacityBytes } = await client.node.nodeExpandVolume({ volumeId: names.volumeId(volume), volumePath });
    expect(capacityBytes).toBe(modelledBytes(deps, volume));
  },
};

const staging = (names: ModelNames, volume: VolumeName) => ({
  volumeId: names.volumeId(volume),
  stagingTargetPath: names.stagingPath(volume),
  volumeCapability: names.capability,
});

function modelledBytes({ names, model }: CallDeps, name: VolumeName): bigint {
  return names.bytes(model.volumes.get(name)?.size ?? 0);
}

async function create(deps: CallDeps, { volume: name, range, from }: Of<"create">): Promise<void> {
  const { client, names } = deps;
  const { volume } = await client.controller.createVolume({
    name: `${names.user}-${name}`,
    capacityRange: names.range(range),
    volumeCapabilities: [names.capability],
    volumeContentSource: from && { type: names.source(from) },
  });
  const id = volume?.volumeId ?? "";
  expect(id, "the id of a volume stays with its name").toBe(names.volumeIds.get(name) ?? id);
  expect(volume?.capacityBytes).toBe(modelledBytes(deps, name));
  names.volumeIds.set(name, id);
}

async function snapshot({ client, names }: CallDeps, { volume, snapshot: name }: Of<"snapshot">): Promise<void> {
  const request = { name: `${names.user}-${name}`, sourceVolumeId: names.volumeId(volume) };
  const answer = await client.controller.createSnapshot(request);
  const id = answer.snapshot?.snapshotId ?? "";
  expect(id, "the id of a snapshot stays with its name").toBe(names.snapshotIds.get(name) ?? id);
  names.snapshotIds.set(name, id);
}

async function stats({ client, names, model }: CallDeps, { volume, target }: Of<"stats">): Promise<void> {
  const request = { volumeId: names.volumeId(volume), volumePath: names.targetPath(volume, target) };
  const { usage } = await client.node.nodeGetVolumeStats(request);
  const share = Number(usage[0]?.total) / Number(names.bytes(model.volumes.get(volume)?.fileSystemSize ?? 0));
  expect(share, "the file system's share of the volume").toBeGreaterThan(0.7);
  expect(share, "the file system's share of the volume").toBeLessThanOrEqual(1);
}

async function write({ names }: CallDeps, { volume, target, file, fill }: Of<"write">): Promise<void> {
  const path = names.targetPath(volume, target);
  const opened = names.isBlock ? await open(path, "r+") : await open(join(path, file), "w");
  try {
    await opened.write(contentOf(file, fill), 0, fileBytes, names.isBlock ? offsets[file] : 0);
    await opened.sync();
  } finally {
    await opened.close();
  }
}
