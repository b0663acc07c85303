import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { LocalDeps } from "../local-deps.ts";
import type { Intent } from "../state/intents.ts";
import { partialSuffix, snapshotContentPath, volumeContentPath } from "../state/layout.ts";

type IntentOf<Operation extends Intent["operation"]> = Extract<Intent, { operation: Operation }>;

/** Before the first call is served: finishes or undoes what a crash cut short, and lets go of what no volume uses. */
export async function recover(deps: LocalDeps): Promise<void> {
  const { intents, layout } = deps.state;
  for (const intent of intents.list()) {
    deps.options.logger.warn({ operation: intent.operation, intent: intent.id }, "settling what a stop cut short");
    await settleIntent(deps, intent).catch((error: unknown) => {
      // One volume that cannot be settled must not keep the others from being served.
      deps.options.logger.error({ intent: intent.id, error }, "it could not be settled; the next start tries again");
    });
  }
  for (const directory of [layout.volumeContents, layout.snapshotContents]) {
    for (const name of await readdir(directory)) {
      if (name.endsWith(partialSuffix)) await deps.contents.remove(join(directory, name));
    }
    await deps.mounts.releaseUnused(directory);
  }
}

/** Also called when an operation fails while the driver runs, so that both leave the same behind. */
export async function settleIntent(deps: LocalDeps, intent: Intent): Promise<void> {
  switch (intent.operation) {
    case "create-volume":
      await undoVolume(deps, intent);
      break;
    case "delete-volume":
      await finishDeletion(deps, intent.volumeId);
      break;
    case "expand-volume":
      await finishExpansion(deps, intent);
      break;
    case "create-snapshots":
      await undoSnapshots(deps, intent);
      break;
    case "delete-snapshots":
      await finishSnapshotDeletion(deps, intent);
      break;
  }
  await deps.state.intents.remove(intent.id);
}

async function undoVolume({ state, contents, mounts }: LocalDeps, intent: IntentOf<"create-volume">): Promise<void> {
  const { volumeId, sourceVolumeId, partialPath } = intent;
  if (sourceVolumeId !== undefined) await mounts.thaw(volumeContentPath(state.layout, sourceVolumeId));
  await contents.remove(partialPath);
  // The record is written last: with it, the volume was whole; with a damaged one, it was whole once.
  if (state.volumes.get(volumeId) || state.volumes.broken().has(volumeId)) return;
  await contents.remove(volumeContentPath(state.layout, volumeId));
}

/** The record goes last, so that a deletion that was cut short can be asked for again. */
export async function finishDeletion({ state, contents }: LocalDeps, volumeId: string): Promise<void> {
  await contents.remove(volumeContentPath(state.layout, volumeId));
  await state.volumes.remove(volumeId);
}

export async function finishExpansion(
  { state, contents }: LocalDeps,
  intent: IntentOf<"expand-volume">,
): Promise<void> {
  const record = state.volumes.get(intent.volumeId);
  if (!record || record.capacityBytes >= intent.toBytes) return;
  await contents.resize(volumeContentPath(state.layout, record.id), intent.toBytes);
  await state.volumes.put({ ...record, capacityBytes: intent.toBytes });
}

async function undoSnapshots(deps: LocalDeps, intent: IntentOf<"create-snapshots">): Promise<void> {
  const { state, contents, mounts } = deps;
  for (const volumeId of intent.volumeIds) await mounts.thaw(volumeContentPath(state.layout, volumeId));
  const last =
    intent.groupId === undefined ? state.snapshots.get(intent.snapshotIds[0] ?? "") : state.groups.get(intent.groupId);
  if (last) return;
  for (const id of intent.snapshotIds) {
    if (state.snapshots.broken().has(id)) continue;
    await state.snapshots.remove(id);
    await contents.remove(snapshotContentPath(state.layout, id));
  }
}

export async function finishSnapshotDeletion(
  { state, contents }: LocalDeps,
  { snapshotIds, groupId }: Pick<IntentOf<"delete-snapshots">, "snapshotIds" | "groupId">,
): Promise<void> {
  for (const id of snapshotIds) {
    await contents.remove(snapshotContentPath(state.layout, id));
    await state.snapshots.remove(id);
  }
  if (groupId !== undefined) await state.groups.remove(groupId);
}
