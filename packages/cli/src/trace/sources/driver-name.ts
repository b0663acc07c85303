import {
  csiDrivers,
  type Event,
  type PersistentVolume,
  type PersistentVolumeClaim,
  provisioningAnnotations,
} from "@stowage/machinery";
import { allowed } from "../../explain/check.ts";
import { classOf } from "../../explain/class/class-checks.ts";
import type { Facts } from "../../explain/facts.ts";

interface Known {
  readonly claim: PersistentVolumeClaim | undefined;
  readonly volume: PersistentVolume | undefined;
  readonly events: readonly Event[];
}

/** Whose volume it is or will be; of a claim that is gone, told by who wrote its events. */
export async function driverNameOf({ claim, volume, events }: Known, facts: Facts): Promise<string | undefined> {
  const ofVolume = volume?.spec?.csi?.driver;
  if (ofVolume !== undefined) return ofVolume;
  const { storageProvisioner, betaStorageProvisioner } = provisioningAnnotations;
  const annotations = claim?.metadata.annotations ?? {};
  const annotated = annotations[storageProvisioner] ?? annotations[betaStorageProvisioner];
  if (annotated !== undefined) return annotated;
  const ofClass = claim && (await allowed(() => classOf(claim, facts)))?.provisioner;
  if (ofClass !== undefined) return ofClass;
  const writers = events.map(({ source }) => source?.component ?? "");
  const installed = (await allowed(() => facts.list(csiDrivers))) ?? [];
  return installed
    .map(({ metadata }) => metadata.name ?? "")
    .find((name) => writers.some((writer) => writer.startsWith(`${name}_`)));
}
