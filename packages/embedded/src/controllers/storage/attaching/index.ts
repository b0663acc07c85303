/**
 * Volumes on nodes. In reading order: `attachable-volume.ts` (what of a Pod needs attaching), `desired-attachments.ts` and
 * `actual-attachments.ts` (what is to be and what is), `detachment-rule.ts` (when a volume may go), `volume-sync.ts` (from one to the
 * other), `attach.ts` with `attachment-news.ts` (one VolumeAttachment made or taken away), `volume-operations.ts` (what is under way),
 * `node-report.ts` (what Nodes say is attached), `surroundings.ts` (what is watched), `attach-detach-controller.ts`.
 */
export { createAttachDetach } from "./attach-detach-controller.ts";
