import { dirname } from "node:path";
import { type CSIDriver, csiAttachmentName, formatTime, type Pod } from "@stowage/machinery";
import { setPodVolumeOwnership } from "../ownership/ownership-report.ts";
import type { CsiVolume } from "./csi-volume.ts";
import {
  askedCapability,
  type CsiDeps,
  hasCapability,
  type NodeCalls,
  nodeCalls,
  secretData,
} from "./driver-access.ts";
import { checkLifecycleMode, isOwnershipOurs } from "./driver-rules.ts";
import { removeMountFolder, tidy } from "./mount-folder.ts";
import { podAttributes } from "./pod-attributes.ts";
import { readVolumeData, writeVolumeData } from "./volume-data.ts";
import { certaintyOf, csiFailure, failureText, VolumeFailure } from "./volume-failure.ts";
import { makeVolumeFolder } from "./volume-folder.ts";

export interface PublishWish {
  readonly pod: Pod;
  readonly volume: CsiVolume;
  readonly driver: CSIDriver | undefined;
  readonly publishContext: Readonly<Record<string, string>>;
  /** It is there already, and containers may see it: what fails now must not take it away. */
  readonly isThere: boolean;
}

/** Of a token whose driver does not say how long it is to be good for. */
const USUAL_SECONDS = 3600;
const tokensKey = "csi.storage.k8s.io/serviceAccount.tokens";

/** Brings a volume to one Pod. */
export async function publishVolume(deps: CsiDeps, wish: PublishWish, signal: AbortSignal): Promise<void> {
  const { pod, volume, driver, publishContext } = wish;
  const node = nodeCalls(deps, volume.driver, "mounter.SetUpAt failed to get CSI client");
  checkLifecycleMode(driver, volume);
  const stagingTargetPath = await stagingPathOf(deps, node, volume, signal);
  const place = deps.paths.published(pod.metadata.uid ?? "", volume.specName);
  const parent = dirname(place.path);
  makeVolumeFolder(parent, `mounter.SetUpAt failed to create dir "${parent}": `);
  const told = await toldOfPod(deps, wish);
  const takesGroup = await hasCapability(node, "VOLUME_MOUNT_GROUP", signal);
  const fsGroup = pod.spec?.securityContext?.fsGroup;
  writeVolumeData(place.dataPath, dataOf(deps, volume));
  const volumeCapability = await askedCapability(node, volume, takesGroup ? fsGroup : undefined, signal);
  const { volumeHandle: volumeId, isReadOnly: readonly } = volume;
  const paths = { stagingTargetPath, targetPath: place.path };
  try {
    await node.nodePublishVolume(
      { volumeId, readonly, ...paths, publishContext, volumeCapability, ...told },
      { signal },
    );
  } catch (error) {
    const isCertain = certaintyOf(error) === "final" && !wish.isThere;
    if (isCertain) await tidy(deps, () => removeMountFolder(deps.mounter, place));
    throw error;
  }
  if (takesGroup || fsGroup === undefined || !isOwnershipOurs(driver, volume)) return;
  try {
    const changePolicy = pod.spec?.securityContext?.fsGroupChangePolicy;
    const ownership = { path: place.path, fsGroup, changePolicy, isReadOnly: volume.isReadOnly };
    await setPodVolumeOwnership(deps, pod, ownership, signal);
  } catch (error) {
    throw new VolumeFailure("uncertain", `applyFSGroup failed for vol ${volumeId}: ${failureText(error)}`, error);
  }
}

async function stagingPathOf(
  { paths }: CsiDeps,
  node: NodeCalls,
  volume: CsiVolume,
  signal: AbortSignal,
): Promise<string> {
  if (volume.isInline || !(await hasCapability(node, "STAGE_UNSTAGE_VOLUME", signal))) return "";
  return paths.staging(volume.driver, volume.volumeHandle).path;
}

/** What the driver is told of the Pod besides the volume: as much as it asks for. */
export async function toldOfPod(
  deps: CsiDeps,
  { pod, volume, driver }: Pick<PublishWish, "pod" | "volume" | "driver">,
): Promise<{ volumeContext: Record<string, string>; secrets: Record<string, string> }> {
  const secrets = await secretData(deps, volume.publishSecret, "NodePublishSecretRef");
  const ofPod = driver?.spec.podInfoOnMount === true ? podAttributes(pod, volume.isInline) : {};
  const volumeContext = { ...volume.attributes, ...ofPod };
  const tokens = volume.isBlock ? undefined : await tokensOf(deps, pod, driver);
  if (tokens === undefined) return { volumeContext, secrets };
  const ofAccount = { [tokensKey]: tokens };
  return driver?.spec.serviceAccountTokenInSecrets === true
    ? { volumeContext, secrets: { ...secrets, ...ofAccount } }
    : { volumeContext: { ...volumeContext, ...ofAccount }, secrets };
}

/** By audience, in the form in which drivers read them. Undefined when the driver asks for none. */
async function tokensOf({ tokens }: CsiDeps, pod: Pod, driver: CSIDriver | undefined): Promise<string | undefined> {
  const wanted = driver?.spec.tokenRequests ?? [];
  if (wanted.length === 0) return undefined;
  try {
    const issued = await Promise.all(
      wanted.map(async ({ audience, expirationSeconds = USUAL_SECONDS }) => {
        const { token, expiresMs } = await tokens.get(pod, { audience, expirationSeconds });
        return [audience, { token, expirationTimestamp: formatTime(expiresMs) }] as const;
      }),
    );
    return JSON.stringify(Object.fromEntries(issued.toSorted(([a], [b]) => (a < b ? -1 : 1))));
  } catch (error) {
    // The word is kubelet's.
    throw csiFailure("transient", "mounter.SetUpAt failed to get service accoount token attributes", error);
  }
}

function dataOf({ nodeName }: CsiDeps, volume: CsiVolume) {
  return {
    specVolID: volume.specName,
    volumeHandle: volume.volumeHandle,
    driverName: volume.driver,
    nodeName,
    volumeLifecycleMode: volume.isInline ? "Ephemeral" : "Persistent",
    attachmentID: csiAttachmentName(volume, nodeName),
  } as const;
}

/** Takes it from the Pod. */
export async function unpublishVolume(
  deps: CsiDeps,
  { podUid, specName }: { readonly podUid: string; readonly specName: string },
  signal: AbortSignal,
): Promise<void> {
  const place = deps.paths.published(podUid, specName);
  const data = readVolumeData(place.dataPath);
  if (data !== undefined) {
    const node = nodeCalls(deps, data.driverName, "Unmounter.TearDownAt failed to get CSI client");
    try {
      await node.nodeUnpublishVolume({ volumeId: data.volumeHandle, targetPath: place.path }, { signal });
    } catch (error) {
      throw csiFailure("uncertain", "Unmounter.TearDownAt failed", error);
    }
  }
  try {
    await removeMountFolder(deps.mounter, place);
  } catch (error) {
    throw csiFailure("uncertain", `Unmounter.TearDownAt failed to clean mount dir [${place.path}]`, error);
  }
}
