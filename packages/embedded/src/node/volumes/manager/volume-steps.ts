import {
  type CSIDriver,
  csiAttachmentName,
  nodes,
  type PersistentVolume,
  type Pod,
  volumeAttachments,
} from "@stowage/machinery";
import { areTermsMet } from "../../../controllers/kit/node-match.ts";
import type { ExpansionDeps } from "../claims/node-expansion.ts";
import type { CsiVolume } from "../csi/csi-volume.ts";
import { mapDevice, publishDevice, unpublishDevice } from "../csi/device-publishing.ts";
import { keepDeviceData, stageDevice, unstageDevice } from "../csi/device-staging.ts";
import { isAttachWanted } from "../csi/driver-rules.ts";
import { type PublishWish, publishVolume, unpublishVolume } from "../csi/publishing.ts";
import { stageVolume, unstageVolume } from "../csi/staging.ts";
import { certaintyOf, failureText, inStep, VolumeFailure } from "../csi/volume-failure.ts";
import { type ActualVolume, type Presence, presenceAfter } from "./actual-volumes.ts";
import { expandWhileMounting } from "./volume-growth.ts";

export interface MountWish {
  readonly pod: Pod;
  readonly volume: CsiVolume;
  readonly actual: ActualVolume;
  /** What the cluster knows of the volume's driver. */
  readonly driver: CSIDriver | undefined;
  /** The Pod has it already; the driver wants to be asked again from time to time. */
  readonly isAgain: boolean;
}

/** The names of the steps differ for devices; events tell them. */
const steps = {
  folder: {
    affinity: "MountVolume",
    attach: "MountVolume",
    stage: "MountVolume.MountDevice",
    publish: "MountVolume.SetUp",
  },
  device: {
    affinity: "MapVolume",
    attach: "MapVolume",
    stage: "MapVolume.SetUpDevice",
    publish: "MapVolume.MapPodDevice",
  },
} as const;

/** All steps that bring a volume to a Pod and have not been done yet. Throws in kubelet's words. */
export async function mountVolume(deps: ExpansionDeps, wish: MountWish, signal: AbortSignal): Promise<void> {
  const { pod, volume, actual, driver } = wish;
  const podUid = pod.metadata.uid ?? "";
  const names = volume.isBlock ? steps.device : steps.folder;
  const during = <Result>(step: string, work: () => Promise<Result>) => inStep(step, volume.specName, work);
  if (volume.bound !== undefined) {
    const { volume: persistent } = volume.bound;
    await during(`${names.affinity}.NodeAffinity check failed`, () => checkAffinity(deps, persistent));
    await during(`${names.publish} failed`, async () => checkSoleUser(persistent, actual, podUid));
  }
  const publishContext =
    volume.isInline || !isAttachWanted(driver)
      ? {}
      : await during(`${names.attach}.WaitForAttach failed`, () => attachmentMetadata(deps, volume));
  if (!volume.isInline && actual.staged !== "yes") {
    const fsGroup = pod.spec?.securityContext?.fsGroup;
    await during(`${names.stage} failed`, () => stage(deps, { volume, actual, publishContext, fsGroup }, signal));
  }
  const isThere = wish.isAgain || (actual.pods.get(podUid)?.wasFound ?? false);
  const publishWish = { pod, volume, driver, publishContext, isThere };
  await publish(deps, publishWish, actual, signal);
  // Until it has its size it must not be used, and is known only as something that may be there.
  if (!wish.isAgain) await expandWhileMounting(deps, wish, signal);
  setPresence(actual, publishWish, "yes");
}

async function stage(
  deps: ExpansionDeps,
  { actual, ...wish }: Parameters<typeof stageVolume>[1] & { readonly actual: ActualVolume },
  signal: AbortSignal,
): Promise<void> {
  try {
    if (wish.volume.isBlock) {
      keepDeviceData(deps, wish.volume);
      await stageDevice(deps, wish, signal);
    } else await stageVolume(deps, wish, signal);
  } catch (error) {
    actual.staged = presenceAfter(actual.staged, certaintyOf(error), actual.wasFound);
    throw error;
  }
  actual.staged = "yes";
}

async function publish(
  deps: ExpansionDeps,
  wish: PublishWish,
  actual: ActualVolume,
  signal: AbortSignal,
): Promise<void> {
  const { volume, pod } = wish;
  const { presence: before = "no", wasFound = false } = actual.pods.get(pod.metadata.uid ?? "") ?? {};
  try {
    if (volume.isBlock) await publishBlock(deps, wish, signal);
    else await inStep("MountVolume.SetUp failed", volume.specName, () => publishVolume(deps, wish, signal));
  } catch (error) {
    setPresence(actual, wish, presenceAfter(before, certaintyOf(error), wasFound));
    throw error;
  }
  setPresence(actual, wish, before === "yes" ? "yes" : "uncertain");
}

function setPresence({ pods }: ActualVolume, { pod, volume }: PublishWish, presence: Presence): void {
  const podUid = pod.metadata.uid ?? "";
  const { specName = volume.specName, wasFound = false } = pods.get(podUid) ?? {};
  if (presence === "no") pods.delete(podUid);
  else pods.set(podUid, { specName, presence, wasFound });
}

async function publishBlock(deps: ExpansionDeps, wish: PublishWish, signal: AbortSignal): Promise<void> {
  const { specName } = wish.volume;
  const podUid = wish.pod.metadata.uid ?? "";
  await inStep("MapVolume.MapPodDevice failed", specName, () => publishDevice(deps, wish, signal));
  await inStep("MapVolume.MapBlockVolume failed", specName, async () => {
    try {
      await mapDevice(deps, specName, podUid);
    } catch (error) {
      // The driver has done its part, which must be undone one day.
      throw new VolumeFailure("uncertain", failureText(error), error);
    }
  });
  const podMaps = deps.paths.podDevice(podUid, specName).slice(0, -specName.length - 1);
  for (const told of [`globalMapPath "${deps.paths.deviceMaps(specName)}"`, `volumeMapPath "${podMaps}"`]) {
    const message = `MapVolume.MapPodDevice succeeded for volume "${specName}" ${told}`;
    deps.events.event(wish.pod, "Normal", "SuccessfulMountVolume", message);
  }
}

/** A volume that is somewhere else cannot be mounted here, whoever sent the Pod. */
async function checkAffinity({ client, nodeName }: ExpansionDeps, { spec }: PersistentVolume): Promise<void> {
  const terms = spec?.nodeAffinity?.required?.nodeSelectorTerms;
  if (terms === undefined) return;
  const node = await client.get(nodes, { name: nodeName });
  if (!areTermsMet(terms, node)) throw new VolumeFailure("transient", "no matching NodeSelectorTerms");
}

function checkSoleUser({ spec }: PersistentVolume, { pods }: ActualVolume, podUid: string): void {
  const [only, ...others] = spec?.accessModes ?? [];
  if (only !== "ReadWriteOncePod" || others.length > 0) return;
  if ([...pods.keys()].every((uid) => uid === podUid)) return;
  const text = "volume uses the ReadWriteOncePod access mode and is already in use by another pod";
  throw new VolumeFailure("transient", text);
}

/** What attaching brought to light. Throws when it is not attached after all. */
async function attachmentMetadata(
  { client, nodeName }: ExpansionDeps,
  volume: CsiVolume,
): Promise<Readonly<Record<string, string>>> {
  const name = csiAttachmentName(volume, nodeName);
  const { metadata, status } = await client.get(volumeAttachments, { name }).catch((error: unknown) => {
    const text = `volume ${volume.volumeHandle} has GET error for volume attachment ${name}: ${failureText(error)}`;
    throw new VolumeFailure("transient", text, error);
  });
  if (metadata.deletionTimestamp !== undefined) {
    throw new VolumeFailure("transient", "volume attachment is being deleted");
  }
  if (status?.attached === true) return status.attachmentMetadata ?? {};
  const why = status?.attachError?.message;
  throw new VolumeFailure(
    "transient",
    why ?? `volume ${volume.volumeHandle} is not attached for volume attachment ${name}`,
  );
}

/** Takes a volume from a Pod. */
export async function unmountVolume(
  deps: ExpansionDeps,
  { actual, podUid }: { readonly actual: ActualVolume; readonly podUid: string },
  signal: AbortSignal,
): Promise<void> {
  const use = actual.pods.get(podUid);
  if (use === undefined) return;
  const place = { podUid, specName: use.specName };
  // Should it fail half way, it is not known any more what is left.
  actual.pods.set(podUid, { ...use, presence: "uncertain" });
  if (actual.isBlock) await unpublishDevice(deps, place, signal);
  else await unpublishVolume(deps, place, signal);
  actual.pods.delete(podUid);
}

/** Takes a volume from the node. */
export async function unmountStaged(deps: ExpansionDeps, actual: ActualVolume, signal: AbortSignal): Promise<void> {
  if (actual.isInline) return;
  actual.staged = "uncertain";
  if (actual.isBlock) await unstageDevice(deps, actual, signal);
  else await unstageVolume(deps, actual, signal);
  actual.staged = "no";
}
