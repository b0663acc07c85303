/**
 * Volumes, from the claim to the node. `binder/` binds claims to volumes and reclaims them, `protection/` keeps what is in use,
 * `expansion.ts` tells who is to expand, `ephemeral-volumes.ts` makes the claims that live as long as a Pod, `attaching/` has volumes
 * attached to the nodes that need them. What they share: `classes.ts`, `pod-volumes.ts`, `latest-objects.ts`.
 */
import type { PartRow } from "../kit/index.ts";
import { createAttachDetach } from "./attaching/index.ts";
import { createVolumeBinder } from "./binder/index.ts";
import { createEphemeralVolumes } from "./ephemeral-volumes.ts";
import { createExpander } from "./expansion.ts";
import { createAttributesClassProtection, createClaimProtection, createVolumeProtection } from "./protection/index.ts";

/** In the order in which they are started. */
export const storageParts: readonly PartRow[] = [
  { make: createVolumeBinder, account: "persistent-volume-binder" },
  { make: createAttachDetach, account: "attachdetach-controller" },
  { make: createExpander, account: "expand-controller" },
  { make: createClaimProtection, account: "pvc-protection-controller" },
  { make: createVolumeProtection, account: "pv-protection-controller" },
  { make: createAttributesClassProtection, account: "volumeattributesclass-protection-controller" },
  { make: createEphemeralVolumes, account: "ephemeral-volume-controller" },
];
