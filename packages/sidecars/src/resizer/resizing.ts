import { isCsiError } from "@stowage/csi";
import type { Patch } from "@stowage/kube";
import {
  type PersistentVolume,
  type PersistentVolumeClaim,
  persistentVolumeClaims,
  StowageError,
} from "@stowage/machinery";
import type { LatestObjects } from "../caches/index.ts";
import { isReachableFrom } from "../provisioner/topology/index.ts";
import type { SidecarDeps } from "../sidecar.ts";
import type { ResizerOptions } from "./options.ts";

/** What expanding and modifying work with. */
export interface Resizing extends Pick<SidecarDeps, "client" | "csi" | "driver" | "events" | "clock" | "logger"> {
  readonly options: ResizerOptions;
  readonly claims: LatestObjects<PersistentVolumeClaim>;
  readonly volumes: LatestObjects<PersistentVolume>;
}

/** The resizer writes to no other part of a claim, and may not. */
export async function patchClaimStatus(
  { client, claims }: Pick<Resizing, "client" | "claims">,
  { metadata: { namespace, name = "" } }: PersistentVolumeClaim,
  patch: Patch,
): Promise<PersistentVolumeClaim> {
  const patched = await client.patch(persistentVolumeClaims, { namespace, name }, patch, { subresource: "status" });
  return claims.wrote(patched);
}

/** Whether the volume is this driver's and, where there is a resizer on each node, this node's. */
export function isOwnVolume(
  { driver, options }: { driver: Pick<Resizing["driver"], "name">; options: Pick<ResizerOptions, "nodeSegments"> },
  { spec }: PersistentVolume,
): boolean {
  return spec?.csi?.driver === driver.name && isReachableFrom(spec.nodeAffinity, options.nodeSegments);
}

/** Whether both are bound to each other, and to nobody else. */
export function isBoundTo(volume: PersistentVolume, { metadata }: PersistentVolumeClaim): boolean {
  const { namespace, uid } = volume.spec?.claimRef ?? {};
  return namespace === metadata.namespace && uid === metadata.uid;
}

/** In an event or a condition: the driver's error in the words that programs know, any other with what can be done about it. */
export function wordsOf(error: unknown): string {
  if (isCsiError(error)) return error.goMessage;
  if (error instanceof StowageError) return `${error.message}. ${error.nextStep}`;
  return error instanceof Error ? error.message : String(error);
}
