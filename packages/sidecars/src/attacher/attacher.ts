import type { Informer } from "@stowage/kube";
import { attacherFinalizer, type CSINode, type PersistentVolume, type VolumeAttachment } from "@stowage/machinery";
import { type Controller, createController } from "@stowage/operator";
import { csiNodeCache, latestObjects, persistentVolumeCache, volumeAttachmentCache } from "../caches/index.ts";
import type { Sidecar, SidecarDeps } from "../sidecar.ts";
import { detachAbandoned, missingAttachments, volumesByAttachment } from "./abandoned-publications.ts";
import { attach } from "./attach.ts";
import type { Attaching } from "./attaching.ts";
import { isAttachmentNews } from "./attachment-news.ts";
import { detach } from "./detach.ts";
import { detachLost, noteLost, wentPastFinalizer } from "./lost-attachments.ts";
import type { AttacherOptions } from "./options.ts";
import { reconcileRegularly } from "./reconciliation.ts";
import { markAttached } from "./trivial-attachment.ts";
import { attachmentsByVolume, awaitsRelease, releaseVolume } from "./volume-release.ts";

// Dashboards rely on the names.
const ATTACHMENT_QUEUE = "csi-attacher-va";
const VOLUME_QUEUE = "csi-attacher-pv";

/** The index of VolumeAttachments that are not attached, by their node. */
const waitingByNode = {
  name: "attacher/waitingForNode",
  valuesOf: ({ spec, status, metadata }: VolumeAttachment): readonly string[] =>
    status?.attached || metadata.deletionTimestamp !== undefined ? [] : [spec.nodeName],
} as const;

/**
 * Attaches volumes to nodes by ControllerPublishVolume, and detaches them, as VolumeAttachments ask for it.
 *
 * Watches VolumeAttachments of this driver, PersistentVolumes and CSINodes. Writes finalizers, the annotation of the node's id and
 * the status of VolumeAttachments, and finalizers of PersistentVolumes, with records of where they are published. Deletes nothing:
 * finalizers and records go when the volume is detached, and the finalizer of a PersistentVolume when it is being deleted, no
 * VolumeAttachment names it and no record is left.
 */
export function createAttacher(deps: SidecarDeps, options: AttacherOptions): Sidecar {
  const { driver, informers } = deps;
  const caches = {
    attachments: volumeAttachmentCache(informers),
    volumes: persistentVolumeCache(informers),
    csiNodes: csiNodeCache(informers),
  };
  let isAtWork = false;
  const attaching: Attaching = {
    ...deps,
    options,
    finalizer: attacherFinalizer(driver.name),
    lost: new Map(),
    attachments: latestObjects(caches.attachments, {
      onDelete(last) {
        // What goes while another process leads is that one's concern; by the time it is ours, the volume may be in use again.
        if (isAtWork && isOurs(attaching, last) && wentPastFinalizer(last, attaching.finalizer))
          noteLost(attaching, last);
      },
    }),
    volumes: latestObjects(caches.volumes),
    csiNodes: caches.csiNodes.objects,
    publishedFor: (attachment) => caches.volumes.objects.byIndex(volumesByAttachment.name, attachment),
    attachmentsOf: (volume) => caches.attachments.objects.byIndex(attachmentsByVolume.name, volume),
  };
  caches.volumes.addIndex(volumesByAttachment.name, volumesByAttachment.valuesOf);
  caches.attachments.addIndex(attachmentsByVolume.name, attachmentsByVolume.valuesOf);
  const forced = new Set<string>();
  const attachments = attachmentController(deps, attaching, { caches, forced });
  const volumes = volumeController(deps, attaching, caches);
  const reattach = (name: string) => {
    forced.add(name);
    attachments.queue.add(name);
  };
  return {
    name: "attacher",
    async run(signal) {
      isAtWork = true;
      const reconciling = canTellPublishedNodes(driver.controller)
        ? reconcileRegularly(attaching, caches.attachments.objects, reattach, signal)
        : undefined;
      await Promise.all([attachments.run(signal), volumes.run(signal), reconciling]);
    },
  };
}

function isOurs({ driver }: Pick<Attaching, "driver">, { spec }: VolumeAttachment): boolean {
  return spec.attacher === driver.name;
}

function canTellPublishedNodes(controller: SidecarDeps["driver"]["controller"]): boolean {
  const needed = ["PUBLISH_UNPUBLISH_VOLUME", "LIST_VOLUMES", "LIST_VOLUMES_PUBLISHED_NODES"] as const;
  return needed.every((capability) => controller.has(capability));
}

interface AttachmentWork {
  readonly caches: Caches;
  /** Those that are attached or detached whatever their status says. */
  readonly forced: Set<string>;
}

function attachmentController(deps: SidecarDeps, attaching: Attaching, { caches, forced }: AttachmentWork): Controller {
  const controller = createController(
    { ...deps, metrics: deps.queues },
    {
      ...limitsOf(ATTACHMENT_QUEUE, attaching.options),
      sync: (name, { signal }) => syncAttachment(attaching, { name, isForced: forced.delete(name) }, signal),
    },
  );
  const { attachments, volumes, csiNodes } = caches;
  attachments.addIndex(waitingByNode.name, waitingByNode.valuesOf);
  controller.watch(attachments, (each) => (isOurs(attaching, each) ? [each.metadata.name ?? ""] : []), {
    isNews: (each, previous) => isAttachmentNews(attaching.finalizer, each, previous),
  });
  // A volume may wait for nothing but the driver's registration on the node.
  controller.watch(csiNodes, ({ metadata: { name = "" } }) =>
    attachments.objects
      .byIndex(waitingByNode.name, name)
      .filter((each) => isOurs(attaching, each))
      .map(({ metadata }) => metadata.name ?? ""),
  );
  // What an earlier process has published for a VolumeAttachment that is gone.
  controller.watch(volumes, (volume) => missingAttachments(attaching, volume));
  return controller;
}

async function syncAttachment(
  deps: Attaching,
  { name, isForced }: { readonly name: string; readonly isForced: boolean },
  signal: AbortSignal,
): Promise<void> {
  const canAttach = deps.driver.controller.has("PUBLISH_UNPUBLISH_VOLUME");
  if (canAttach) await detachLost(deps, name, signal);
  if (canAttach) await detachAbandoned(deps, name, signal);
  const attachment = deps.attachments.getByKey(name);
  if (attachment === undefined) return;
  if (!canAttach) return await markAttached(deps, attachment);
  const isDeleted = attachment.metadata.deletionTimestamp !== undefined;
  const isToBeDetached = isForced || attachment.metadata.finalizers?.includes(deps.finalizer);
  const isToBeAttached = isForced || !attachment.status?.attached;
  if (isDeleted && isToBeDetached) await detach(deps, attachment, signal);
  else if (!isDeleted && isToBeAttached) await attach(deps, attachment, signal);
}

interface Caches {
  readonly attachments: Informer<VolumeAttachment>;
  readonly volumes: Informer<PersistentVolume>;
  readonly csiNodes: Informer<CSINode>;
}

function volumeController(deps: SidecarDeps, attaching: Attaching, { attachments, volumes }: Caches): Controller {
  const { finalizer } = attaching;
  const controller = createController(
    { ...deps, metrics: deps.queues },
    {
      ...limitsOf(VOLUME_QUEUE, attaching.options),
      sync: (name) => releaseVolume(attaching, name),
    },
  );
  const keyIfAwaited = (volume: PersistentVolume | undefined) =>
    volume !== undefined && awaitsRelease(volume, finalizer) ? [volume.metadata.name ?? ""] : [];
  controller.watch(volumes, keyIfAwaited);
  controller.watch(attachments, ({ spec: { source } }) =>
    keyIfAwaited(volumes.objects.get({ name: source.persistentVolumeName ?? "" })),
  );
  return controller;
}

function limitsOf(name: string, { workers, retryInitialMs, retryMaximumMs, resyncMs }: AttacherOptions) {
  return { name, workers, resyncMs, backoff: { initialMs: retryInitialMs, maximumMs: retryMaximumMs } };
}
