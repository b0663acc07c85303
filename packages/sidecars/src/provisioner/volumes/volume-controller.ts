import { type DeleteResult, isNotFound } from "@stowage/kube";
import {
  type PersistentVolume,
  persistentVolumes,
  provisioningFinalizers,
  provisioningReasons,
  StowageError,
} from "@stowage/machinery";
import { type Controller, createController, type SyncOutcome } from "@stowage/operator";
import type { SidecarDeps } from "../../sidecar.ts";
import { failureMessage } from "../failure.ts";
import type { Provisioning } from "../provisioning.ts";
import { placesOf } from "../topology/index.ts";
import { deletionSecretRef } from "./deletion-secret.ts";
import { callDeleteVolume, readSecretIfPresent } from "./driver-calls.ts";
import { desiredVolumeStep } from "./volume-standing.ts";

const { volume: FINALIZER } = provisioningFinalizers;

/** An index of the shared copy of VolumeAttachments: whoever adds it again must give the same function. */
const attachmentsByVolume = {
  name: "persistentVolumeName",
  valuesOf: ({ spec }: { spec: { source: { persistentVolumeName?: string } } }) =>
    spec.source.persistentVolumeName === undefined ? [] : [spec.source.persistentVolumeName],
};

/**
 * Watches PVs, and VolumeAttachments of drivers that attach. Owns the PV finalizer of the provisioner; deletes released volumes whose
 * policy says so, and their PVs; tells by events on the PV when it cannot.
 */
export function createVolumeController(p: Provisioning, queues: SidecarDeps["queues"]): Controller {
  const { workers, retryInitialMs: initialMs, retryMaximumMs: maximumMs } = p.options;
  // By uid: their PVs are only waited for to vanish from the local copy.
  const deleted = new Set<string>();
  const controller = createController(
    { clock: p.clock, logger: p.logger, metrics: queues },
    {
      name: "volumes",
      workers,
      backoff: { initialMs, maximumMs },
      sync: (name, { signal }) => p.names.run(name, () => syncVolume(p, name, { deleted, signal })),
    },
  );
  controller.watch(p.volumes);
  p.volumes.addHandler({ onDelete: ({ metadata }) => void deleted.delete(metadata.uid ?? "") });
  p.attachments?.addIndex(attachmentsByVolume.name, attachmentsByVolume.valuesOf);
  p.attachments?.addHandler({
    onDelete: (attachment) => attachmentsByVolume.valuesOf(attachment).forEach((name) => controller.queue.add(name)),
  });
  return controller;
}

interface VolumeSync {
  readonly deleted: Set<string>;
  readonly signal: AbortSignal;
}

async function syncVolume(p: Provisioning, name: string, { deleted, signal }: VolumeSync): Promise<SyncOutcome> {
  const volume = p.volumes.objects.get({ name });
  if (volume === undefined || deleted.has(volume.metadata.uid ?? "")) return undefined;
  switch (desiredVolumeStep(volume, p.driver.name)) {
    case "nothing":
      return undefined;
    case "addFinalizer":
      await p.client.patch(
        persistentVolumes,
        { name },
        { type: "strategic", patch: { metadata: { finalizers: [FINALIZER] } } },
      );
      return undefined;
    case "removeFinalizer":
      await letGo(p, volume);
      return undefined;
    case "delete":
      if (p.hooks.node?.shouldDelete(volume) === false) return undefined;
      await deleteVolume(p, volume, signal);
      deleted.add(volume.metadata.uid ?? "");
      return undefined;
  }
}

/**
 * The volume is to outlive its PV. Once the PV can go, nothing but a stale intent would speak of the volume, and after a restart
 * that would be taken for a volume that nobody needs: so the intent goes first.
 */
async function letGo(p: Provisioning, { metadata, spec }: PersistentVolume): Promise<void> {
  await p.intents.journal?.settled(spec?.claimRef?.uid ?? "");
  await removeFinalizer(p, metadata.name ?? "");
}

async function deleteVolume(p: Provisioning, volume: PersistentVolume, signal: AbortSignal): Promise<void> {
  const startedMs = p.clock.monotonicMs();
  const className = volume.spec?.storageClassName ?? "";
  try {
    await deleteFromStorage(p, volume, signal);
  } catch (error) {
    // Whoever leads next takes it up: nothing is wrong with the volume.
    if (signal.aborted) throw error;
    p.metrics.deleteFailed(className);
    p.events.event(volume, "Warning", provisioningReasons.deleteFailed, failureMessage(error));
    throw error;
  }
  const { name = "", uid } = volume.metadata;
  const result = await deleteObject(p, name, uid);
  if (!result.gone && result.object.metadata.finalizers?.includes(FINALIZER) === true) await removeFinalizer(p, name);
  p.metrics.deleted(className, p.clock.monotonicMs() - startedMs);
  p.hooks.onCapacityChanged?.(className, placesOf(volume.spec?.nodeAffinity));
}

async function deleteFromStorage(p: Provisioning, volume: PersistentVolume, signal: AbortSignal): Promise<void> {
  const { name = "" } = volume.metadata;
  const { csi, storageClassName = "" } = volume.spec ?? {};
  if (csi === undefined)
    throw new StowageError("CLAIM_UNSUPPORTED", `the PersistentVolume ${name} is not a CSI volume`);
  const [attachment] = p.attachments?.objects.byIndex(attachmentsByVolume.name, name) ?? [];
  if (attachment !== undefined) {
    const { nodeName } = attachment.spec;
    throw new StowageError("VOLUME_STILL_ATTACHED", `persistentvolume ${name} is still attached to node ${nodeName}`);
  }
  const secretRef = deletionSecretRef(volume, p.classes.objects.get({ name: storageClassName }));
  const secrets = await readSecretIfPresent(p, secretRef);
  await callDeleteVolume(p, { volumeId: csi.volumeHandle, secrets, signal });
}

async function deleteObject(
  { client }: Provisioning,
  name: string,
  uid: string | undefined,
): Promise<DeleteResult<PersistentVolume>> {
  try {
    return await client.delete(persistentVolumes, { name }, { preconditions: { uid } });
  } catch (error) {
    if (isNotFound(error)) return { gone: true };
    throw error;
  }
}

async function removeFinalizer({ client }: Provisioning, name: string): Promise<void> {
  const patch = { metadata: { "$deleteFromPrimitiveList/finalizers": [FINALIZER] } };
  try {
    await client.patch(persistentVolumes, { name }, { type: "strategic", patch });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
