import type { Informer } from "@stowage/kube";
import { attacherFinalizer, type PersistentVolume, type VolumeAttachment } from "@stowage/machinery";
import { type Controller, createController } from "@stowage/operator";
import { csiNodeCache, latestObjects, persistentVolumeCache, volumeAttachmentCache } from "../caches/index.ts";
import type { Sidecar, SidecarDeps } from "../sidecar.ts";
import { attach } from "./attach.ts";
import type { Attaching } from "./attaching.ts";
import { isAttachmentNews } from "./attachment-news.ts";
import { detach } from "./detach.ts";
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
 * the status of VolumeAttachments, and finalizers of PersistentVolumes. Deletes nothing: finalizers go when the volume is detached,
 * and from a PersistentVolume when it is being deleted and no VolumeAttachment names it.
 */
export function createAttacher(deps: SidecarDeps, options: AttacherOptions): Sidecar {
  const { driver, informers } = deps;
  const caches = {
    attachments: volumeAttachmentCache(informers),
    volumes: persistentVolumeCache(informers),
    csiNodes: csiNodeCache(informers),
  };
  caches.attachments.addIndex(attachmentsByVolume.name, attachmentsByVolume.valuesOf);
  caches.attachments.addIndex(waitingByNode.name, waitingByNode.valuesOf);
  const attaching: Attaching = {
    ...deps,
    options,
    finalizer: attacherFinalizer(driver.name),
    attachments: latestObjects(caches.attachments),
    volumes: latestObjects(caches.volumes),
    csiNodes: caches.csiNodes.objects,
  };
  const forced = new Set<string>();
  const attachments = attachmentController(deps, attaching, forced);
  const isOurs = ({ spec }: VolumeAttachment) => spec.attacher === driver.name;
  attachments.watch(caches.attachments, (each) => (isOurs(each) ? [each.metadata.name ?? ""] : []), {
    isNews: (each, previous) => isAttachmentNews(attaching.finalizer, each, previous),
  });
  // A volume may wait for nothing but the driver's registration on the node.
  attachments.watch(caches.csiNodes, ({ metadata: { name = "" } }) =>
    caches.attachments.objects
      .byIndex(waitingByNode.name, name)
      .filter(isOurs)
      .map(({ metadata }) => metadata.name ?? ""),
  );
  const volumes = volumeController(deps, attaching, caches);
  return {
    name: "attacher",
    async run(signal) {
      const reconciling = canTellPublishedNodes(driver.controller)
        ? reconcileRegularly(
            attaching,
            caches.attachments.objects,
            (name) => {
              forced.add(name);
              attachments.queue.add(name);
            },
            signal,
          )
        : undefined;
      await Promise.all([attachments.run(signal), volumes.run(signal), reconciling]);
    },
  };
}

function canTellPublishedNodes(controller: SidecarDeps["driver"]["controller"]): boolean {
  const needed = ["PUBLISH_UNPUBLISH_VOLUME", "LIST_VOLUMES", "LIST_VOLUMES_PUBLISHED_NODES"] as const;
  return needed.every((capability) => controller.has(capability));
}

function attachmentController(deps: SidecarDeps, attaching: Attaching, forced: Set<string>): Controller {
  const canAttach = deps.driver.controller.has("PUBLISH_UNPUBLISH_VOLUME");
  return createController(
    { ...deps, metrics: deps.queues },
    {
      ...limitsOf(ATTACHMENT_QUEUE, attaching.options),
      async sync(name, { signal }) {
        const isForced = forced.delete(name);
        const attachment = attaching.attachments.getByKey(name);
        if (attachment === undefined) return;
        if (!canAttach) return markAttached(attaching, attachment);
        const isDeleted = attachment.metadata.deletionTimestamp !== undefined;
        const isToBeDetached = isForced || attachment.metadata.finalizers?.includes(attaching.finalizer);
        const isToBeAttached = isForced || !attachment.status?.attached;
        if (isDeleted && isToBeDetached) await detach(attaching, attachment, signal);
        else if (!isDeleted && isToBeAttached) await attach(attaching, attachment, signal);
      },
    },
  );
}

interface Caches {
  readonly attachments: Informer<VolumeAttachment>;
  readonly volumes: Informer<PersistentVolume>;
}

function volumeController(deps: SidecarDeps, attaching: Attaching, { attachments, volumes }: Caches): Controller {
  const { finalizer } = attaching;
  const controller = createController(
    { ...deps, metrics: deps.queues },
    {
      ...limitsOf(VOLUME_QUEUE, attaching.options),
      sync: (name) => releaseVolume(attaching, attachments.objects, name),
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
