import { type EventRecorder, isAlreadyExists, isNotFound, type KubeClient } from "@stowage/kube";
import {
  attachingReasons,
  csiAttachmentName,
  nodes,
  type PersistentVolume,
  StowageError,
  type VolumeAttachment,
  volumeAttachments,
} from "@stowage/machinery";
import { errorText } from "../../kit/index.ts";
import type { ActualAttachment, ActualAttachments } from "./actual-attachments.ts";
import { csiVolumeNamed } from "./attachable-volume.ts";
import type { AttachmentNews, Verdict } from "./attachment-news.ts";
import { attachMessage } from "./conflict-message.ts";
import type { DesiredAttachment } from "./desired-attachments.ts";

/** What attaching and detaching work with. */
export interface Attaching {
  readonly client: KubeClient;
  readonly events: EventRecorder;
  readonly actual: ActualAttachments;
  readonly news: AttachmentNews;
}

/** An attacher has this long. What it does afterwards is found at the next try. */
const TIMEOUT_MS = 120_000;

/** Asks for the volume on the node by a VolumeAttachment, and waits for the driver's attacher to have done it. */
export async function attach(a: Attaching, desired: DesiredAttachment, signal: AbortSignal): Promise<void> {
  const { name, nodeName, volume, pods } = desired;
  const tell = (type: "Normal" | "Warning", reason: string, what: string, details: string) => {
    const message = attachMessage(what, volume.metadata.name ?? "", details);
    for (const pod of pods.values()) a.events.event(pod, type, reason, message);
  };
  try {
    await ensureAttached(a, volume, nodeName, signal);
  } catch (error) {
    a.actual.uncertain(name, nodeName, volume);
    if (!signal.aborted)
      tell("Warning", attachingReasons.failed, "AttachVolume.Attach failed", `: ${errorText(error)}`);
    throw error;
  }
  a.actual.attached(name, nodeName, volume);
  tell("Normal", attachingReasons.succeeded, "AttachVolume.Attach succeeded", "");
}

async function ensureAttached(
  { client, news }: Attaching,
  volume: PersistentVolume,
  nodeName: string,
  signal: AbortSignal,
): Promise<void> {
  const { driver = "", volumeHandle = "" } = volume.spec?.csi ?? {};
  const name = csiAttachmentName({ driver, volumeHandle }, nodeName);
  if (news.get(name) === undefined) {
    const source = { persistentVolumeName: volume.metadata.name };
    const spec = { attacher: driver, nodeName, source };
    await client.create(volumeAttachments, { metadata: { name }, spec }).catch((error: unknown) => {
      if (!isAlreadyExists(error)) throw error;
    });
  }
  const late = notAttached(
    `timed out waiting for external-attacher of ${driver} CSI driver to attach volume ${volumeHandle}`,
  );
  await news.until(name, attachVerdict, { late, timeoutMs: TIMEOUT_MS, signal });
}

/** One that is not there has just been created, and comes. */
export function attachVerdict(attachment: VolumeAttachment | undefined): Verdict {
  if (attachment === undefined) return "under way";
  const { metadata, status } = attachment;
  if (metadata.deletionTimestamp !== undefined) return notAttached("volume attachment is being deleted");
  if (status?.attached === true) return "done";
  return status?.attachError === undefined ? "under way" : notAttached(status.attachError.message ?? "");
}

/** Takes the VolumeAttachment away, and waits for it to be gone. */
export async function detach(
  a: Attaching,
  { name, nodeName, volume }: ActualAttachment,
  { isForced, signal }: { readonly isForced: boolean; readonly signal: AbortSignal },
): Promise<void> {
  try {
    if (!isForced) await checkUnused(a, name, nodeName);
    await ensureDetached(a, name, nodeName, signal);
  } catch (error) {
    a.actual.uncertain(name, nodeName, volume);
    throw error;
  }
  a.actual.detached(name, nodeName);
}

/** The copy of the Node may be behind: a volume that is detached under a mount is lost. */
async function checkUnused({ client }: Attaching, name: string, nodeName: string): Promise<void> {
  const node = await client.find(nodes, { name: nodeName });
  if (!node?.status?.volumesInUse?.includes(name)) return;
  throw notDetached(`volume ${name} is still in use by node ${nodeName}, according to Node status`);
}

async function ensureDetached(
  { client, news }: Attaching,
  uniqueName: string,
  nodeName: string,
  signal: AbortSignal,
): Promise<void> {
  const csi = csiVolumeNamed(uniqueName);
  if (csi === undefined) throw notDetached(`volume ${uniqueName} on node ${nodeName} is not a CSI volume`);
  const name = csiAttachmentName(csi, nodeName);
  try {
    await client.delete(volumeAttachments, { name });
  } catch (error) {
    if (isNotFound(error)) return;
    throw error;
  }
  const late = notDetached(
    `timed out waiting for external-attacher of ${csi.driver} CSI driver to detach volume ${csi.volumeHandle}`,
  );
  await news.until(name, detachVerdict, { late, timeoutMs: TIMEOUT_MS, signal });
}

export function detachVerdict(attachment: VolumeAttachment | undefined): Verdict {
  if (attachment === undefined) return "done";
  const error = attachment.status?.detachError;
  return error === undefined ? "under way" : notDetached(error.message ?? "");
}

function notAttached(message: string): StowageError {
  return new StowageError("VOLUME_NOT_ATTACHED", message);
}

function notDetached(message: string): StowageError {
  return new StowageError("VOLUME_NOT_DETACHED", message);
}
