import { type PersistentVolumeClaim, persistentVolumeClaims, Quantity } from "@stowage/machinery";
import { sizeOf } from "../claims/expansion-state.ts";
import { type Expanded, type ExpansionDeps, expandVolume } from "../claims/node-expansion.ts";
import { devicePath } from "../csi/device-publishing.ts";
import { failureText, inStep, VolumeFailure } from "../csi/volume-failure.ts";
import type { MountWish } from "./volume-steps.ts";

/** A volume that was made bigger while no Pod had it gets its size before one uses it. */
export async function expandWhileMounting(deps: ExpansionDeps, wish: MountWish, signal: AbortSignal): Promise<void> {
  const { volume, actual } = wish;
  if (volume.bound === undefined) return;
  const step = volume.isBlock
    ? "MapVolume.MarkVolumeAsMounted failed while expanding volume"
    : "MountVolume.Setup failed while expanding volume";
  await inStep(step, volume.specName, async () => {
    try {
      await expandIfSmaller(deps, wish, signal);
    } catch (error) {
      // It is mounted all the same, and must be unmounted one day.
      throw new VolumeFailure("uncertain", failureText(error), error);
    }
  });
  actual.sizeBytes ??= sizeOf(volume.bound.claim.status?.capacity)?.value();
}

async function expandIfSmaller(deps: ExpansionDeps, wish: MountWish, signal: AbortSignal): Promise<void> {
  const size = sizeOf(wish.volume.bound?.volume.spec?.capacity);
  const told = sizeOf(wish.volume.bound?.claim.status?.capacity);
  // What was just read says mostly that there is nothing to do.
  if (size === undefined || (told !== undefined && told.compare(size) >= 0)) return;
  const claim = await currentClaim(deps, wish);
  const current = sizeOf(claim.status?.capacity) ?? Quantity.zero;
  if (current.compare(size) >= 0) return;
  if (wish.volume.isReadOnly) return tellReadOnly(deps, wish, claim);
  remember(wish, await expanded(deps, wish, { claim, size }, signal));
}

/** A volume that was made bigger while a Pod has it gets its size under the Pod. */
export async function expandInUse(deps: ExpansionDeps, wish: MountWish, signal: AbortSignal): Promise<void> {
  const { volume, actual } = wish;
  const size = sizeOf(volume.bound?.volume.spec?.capacity);
  if (volume.bound === undefined || size === undefined || volume.isReadOnly) return;
  actual.sizeBytes ??= sizeOf(volume.bound.claim.status?.capacity)?.value();
  if (actual.isExpansionRefused || actual.sizeBytes === undefined || actual.sizeBytes >= size.value()) return;
  await inStep("NodeExpandVolume.NodeExpandVolume failed", volume.specName, async () => {
    const claim = await currentClaim(deps, wish);
    remember(wish, await expanded(deps, wish, { claim, size }, signal));
  });
}

async function expanded(
  deps: ExpansionDeps,
  { pod, volume, actual }: MountWish,
  { claim, size }: { readonly claim: PersistentVolumeClaim; readonly size: Quantity },
  signal: AbortSignal,
): Promise<Expanded> {
  const podUid = pod.metadata.uid ?? "";
  const { paths } = deps;
  const place = volume.isBlock
    ? { path: devicePath(deps, volume.specName, podUid), stagingPath: paths.stagedDevice(volume.specName).path }
    : {
        path: paths.published(podUid, volume.specName).path,
        stagingPath: paths.staging(volume.driver, volume.volumeHandle).path,
      };
  const wanted = sizeOf(claim.spec?.resources?.requests);
  const isGivenUp = actual.hasExpansionFailed && wanted !== undefined && !wanted.equals(size);
  try {
    return await expandVolume(deps, { pod, volume, claim, size, isGivenUp, ...place }, signal);
  } catch (error) {
    if (!(error instanceof VolumeFailure && error.certainty === "transient")) actual.hasExpansionFailed = true;
    throw error;
  }
}

function remember({ actual }: MountWish, expansion: Expanded): void {
  if (expansion.kind === "done") {
    actual.sizeBytes = expansion.size.value();
    actual.hasExpansionFailed = false;
  }
  if (expansion.kind === "refused") actual.isExpansionRefused = true;
}

function tellReadOnly({ events }: ExpansionDeps, { pod, volume }: MountWish, claim: PersistentVolumeClaim): void {
  const message = `MountVolume.NodeExpandVolume failed for volume "${volume.specName}" requested read-only file system`;
  for (const subject of [pod, claim]) events.event(subject, "Warning", "FileSystemResizeFailed", message);
}

async function currentClaim({ client }: ExpansionDeps, { volume }: MountWish): Promise<PersistentVolumeClaim> {
  const { namespace = "", name = "" } = volume.bound?.claim.metadata ?? {};
  try {
    return await client.get(persistentVolumeClaims, { namespace, name });
  } catch (error) {
    const text = `mountVolume.NodeExpandVolume get PVC failed : ${failureText(error)}`;
    throw new VolumeFailure("transient", text, error);
  }
}
