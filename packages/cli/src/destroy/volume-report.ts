import { Quantity } from "@stowage/machinery";
import type { CloudVolume, Destroyed } from "@stowage/operators/destroy";

export interface VolumeReport {
  readonly clusterId: string;
  /** In words. */
  readonly place: string;
  readonly found: readonly CloudVolume[];
  readonly outcome: Outcome;
}

export type Outcome =
  | { readonly kind: "listed" }
  | ({ readonly kind: "destroyed" } & Destroyed)
  /** Those that the cloud had agreed to delete by then. */
  | { readonly kind: "interrupted"; readonly deleted: number };

/** One line each, in columns: `volume  vol-1  4Gi  in use by i-2  its name`. */
export function listText(volumes: readonly CloudVolume[]): string {
  return volumes
    .map(({ kind, id, sizeBytes, state, users, label }) => {
      const use = state === "used" ? `in use by ${users.join(",") || "something"}` : state === "going" ? "going" : "";
      return `${[kind, id, sizeText(sizeBytes), use, label].filter((cell) => cell !== "").join("  ")}\n`;
    })
    .join("");
}

export function outcomeText({ clusterId, place, found, outcome }: VolumeReport): string {
  const what = `of ${clusterId} on ${place}`;
  if (outcome.kind === "interrupted") return `interrupted after ${countText(outcome.deleted)} ${what}; run it again\n`;
  if (outcome.kind === "listed") {
    if (found.length === 0) return `nothing ${what}\n`;
    return `${countText(found.length)} ${what}, ${sizeText(totalBytes(found))}; nothing was deleted, --yes does it\n`;
  }
  const { deleted, left } = outcome;
  const lines = left.map(({ volume, reason }) => `left: ${volume.kind} ${volume.id}: ${reason}\n`).join("");
  const kept = left.length === 0 ? "" : `, ${left.length} left`;
  return `${lines}${countText(deleted)} ${what} deleted${kept}\n`;
}

export function reportDocument({ clusterId, place, found, outcome }: VolumeReport): object {
  return {
    clusterId,
    cloud: place,
    isDryRun: outcome.kind === "listed",
    isInterrupted: outcome.kind === "interrupted",
    found: found.map(documentOf),
    ...(outcome.kind === "interrupted" && { deleted: outcome.deleted }),
    ...(outcome.kind === "destroyed" && {
      deleted: outcome.deleted,
      left: outcome.left.map(({ volume, reason }) => ({ ...documentOf(volume), reason })),
    }),
  };
}

/** Sizes as text: JSON has no whole numbers of that size. */
function documentOf({ kind, id, label, sizeBytes, state, users, tags }: CloudVolume): object {
  return { kind, id, name: label, sizeBytes: String(sizeBytes), state, users, tags };
}

function totalBytes(volumes: readonly CloudVolume[]): bigint {
  return volumes.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0n);
}

function sizeText(bytes: bigint): string {
  return Quantity.fromBytes(bytes).toString();
}

export function countText(count: number): string {
  return count === 1 ? "1 volume or snapshot" : `${count} volumes and snapshots`;
}
