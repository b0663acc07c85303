/**
 * VolumeAttachment to ControllerPublishVolume, and back. In reading order:
 *
 * - `attacher.ts`, `options.ts`, `rbac.ts`: the sidecar, what it can be told, what it must be allowed
 * - `attached-volume.ts`, `node-id.ts`, `publish-request.ts`: what is meant, purely
 * - `publication.ts`, `publication-record.ts`: what is to be undone, and how it is remembered
 * - `attachment-patches.ts`: everything that is written
 * - `attach.ts`, `detach.ts`, `trivial-attachment.ts`, `volume-release.ts`: what is done
 * - `lost-attachments.ts`: what the API server deleted in spite of a finalizer
 * - `abandoned-publications.ts`: the same, when it was another process that saw it, or nobody
 * - `reconciliation.ts`, `published-nodes.ts`: what the driver says is attached, where it can tell
 *
 * The finalizer and the node's id on the VolumeAttachment are the durable intent, and so is the record on the PersistentVolume: they
 * are written before the driver is called, and go only after it has said that the volume is detached.
 *
 * Not supported: volumes of in-tree types (CSI migration), as a PersistentVolume or inline. They get an attach error that says so.
 */
export { createAttacher } from "./attacher.ts";
export { type AttacherOptions, attacherDefaults } from "./options.ts";
export { attacherRules, attacherSecretRules } from "./rbac.ts";
