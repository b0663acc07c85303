import { isCsiCode } from "@stowage/csi";
import type { EventRecorder } from "@stowage/kube";
import { type PersistentVolumeClaim, type Pod, persistentVolumeClaims, type Quantity } from "@stowage/machinery";
import type { CsiVolume } from "../csi/csi-volume.ts";
import { askedCapability, type CsiDeps, hasCapability, nodeCalls, secretData } from "../csi/driver-access.ts";
import { failureText, VolumeFailure } from "../csi/volume-failure.ts";
import { expansionStep, statusFailed, statusFinished, statusInProgress, wantedSize } from "./expansion-state.ts";

export interface ExpansionDeps extends CsiDeps {
  readonly events: EventRecorder;
}

export interface ExpansionWish {
  readonly pod: Pod;
  readonly volume: CsiVolume;
  /** As it was just read. */
  readonly claim: PersistentVolumeClaim;
  readonly size: Quantity;
  /** Where the Pod has it: a folder, or a device. */
  readonly path: string;
  readonly stagingPath: string;
  /** The last try failed for good, and the size is no longer what the user wants. */
  readonly isGivenUp: boolean;
}

/** `refused`: not while it is in use. */
export type Expanded = { readonly kind: "done"; readonly size: Quantity } | { readonly kind: "wait" | "refused" };

/** Has the driver bring a volume to its new size on this node, and writes into the claim how it went. */
export async function expandVolume(deps: ExpansionDeps, wish: ExpansionWish, signal: AbortSignal): Promise<Expanded> {
  const size = wantedSize(wish.claim, wish.size);
  const step = expansionStep(wish.claim, size);
  if (step.kind === "wait") return step;
  if (step.kind === "done") return { ...step, size };
  const { isClaimDone, isTracked } = step;
  const claim = isClaimDone || !isTracked ? wish.claim : await writeStatus(deps, wish.claim, statusInProgress());
  try {
    if (!(await callDriver(deps, { ...wish, size }, signal))) {
      if (isClaimDone || !isTracked) return { kind: "done", size };
      throw new VolumeFailure("final", `NodeExpand is not supported by the CSI driver ${wish.volume.driver}`);
    }
  } catch (error) {
    return await failed(deps, { ...wish, claim }, { error, isTracked });
  }
  tellSuccess(deps, { ...wish, claim });
  if (!isClaimDone) await writeStatus(deps, claim, statusFinished(claim, size));
  return { kind: "done", size };
}

/** Whether the driver can do it at all. */
async function callDriver(deps: CsiDeps, { volume, size, path, stagingPath }: ExpansionWish, signal: AbortSignal) {
  const node = nodeCalls(deps, volume.driver, "Expander.NodeExpand failed to get CSI client");
  if (!(await hasCapability(node, "EXPAND_VOLUME", signal))) return false;
  const secrets = await secretData(deps, volume.expandSecret, "NodeExpandSecretRef");
  const volumeCapability = await askedCapability(node, volume, undefined, signal);
  const request = {
    volumeId: volume.volumeHandle,
    volumePath: path,
    stagingTargetPath: stagingPath,
    capacityRange: { requiredBytes: size.value() },
    volumeCapability,
    secrets,
  };
  await node.nodeExpandVolume(request, { signal });
  return true;
}

async function failed(
  deps: ExpansionDeps,
  { claim, isGivenUp }: ExpansionWish,
  { error, isTracked }: { readonly error: unknown; readonly isTracked: boolean },
): Promise<Expanded> {
  if (error instanceof VolumeFailure && error.certainty === "transient") throw error;
  const isHopeless = isCsiCode(error, "INVALID_ARGUMENT", "OUT_OF_RANGE", "NOT_FOUND");
  const text = `Expander.NodeExpand failed to expand the volume ${isHopeless ? "" : ": "}${failureText(error)}`;
  const message = error instanceof VolumeFailure ? error.message : text;
  const why = { message, isInfeasible: isHopeless || isGivenUp, nowMs: deps.clock.nowMs() };
  if (isTracked) {
    await writeStatus(deps, claim, statusFailed(claim, why)).catch((cause: unknown) =>
      deps.logger.warn({ error: cause }, "the claim could not be told that its volume was not expanded"),
    );
  }
  if (isCsiCode(error, "FAILED_PRECONDITION")) return { kind: "refused" };
  throw new VolumeFailure("final", message, error);
}

function tellSuccess({ events, nodeName }: ExpansionDeps, { pod, claim, volume }: ExpansionWish): void {
  const message = `MountVolume.NodeExpandVolume succeeded for volume "${volume.specName}" ${nodeName}`;
  for (const subject of [pod, claim]) events.event(subject, "Normal", "FileSystemResizeSuccessful", message);
}

/** Not into a claim that somebody has changed meanwhile: what is to be done may be another thing then. */
async function writeStatus(
  { client }: CsiDeps,
  { metadata }: PersistentVolumeClaim,
  status: Record<string, unknown>,
): Promise<PersistentVolumeClaim> {
  const { namespace = "", name = "", resourceVersion } = metadata;
  const patch = { type: "merge" as const, patch: { metadata: { resourceVersion }, status } };
  return client.patch(persistentVolumeClaims, { namespace, name }, patch, { subresource: "status" });
}
