import { type PersistentVolumeClaim, StowageError } from "@stowage/machinery";
import { specOf } from "../requests/index.ts";

const SNAPSHOT_GROUP = "snapshot.storage.k8s.io";

/** What a claim is to be filled from. */
export type DataSource =
  | { readonly kind: "claim" | "snapshot"; readonly namespace: string; readonly name: string }
  /** Somebody else fills the claim: a populator, known by the kind of object it works for. */
  | { readonly kind: "populator"; readonly objectKind: string };

/** Undefined for a claim that starts empty. Throws DATA_SOURCE_UNUSABLE, CLAIM_UNSUPPORTED. */
export function dataSourceOf(claim: PersistentVolumeClaim): DataSource | undefined {
  const { dataSource, dataSourceRef } = specOf(claim);
  const reference = dataSource ?? dataSourceRef;
  if (reference === undefined) return undefined;
  if (dataSource === undefined && dataSourceRef?.namespace) {
    throw new StowageError("CLAIM_UNSUPPORTED", "the claim's source is in another namespace, which is not supported", {
      nextStep: "Use a source in the namespace of the claim.",
    });
  }
  const { kind, name } = reference;
  // The API server says null for the core group.
  const apiGroup = reference.apiGroup ?? "";
  if (name === "") throw new StowageError("DATA_SOURCE_UNUSABLE", "the claim's source has no name");
  const namespace = claim.metadata.namespace ?? "";
  if (kind === "PersistentVolumeClaim" && apiGroup === "") return { kind: "claim", namespace, name };
  if (kind !== "VolumeSnapshot") return { kind: "populator", objectKind: kind };
  if (apiGroup !== SNAPSHOT_GROUP) {
    throw new StowageError(
      "DATA_SOURCE_UNUSABLE",
      `the claim's source is a VolumeSnapshot of the group "${apiGroup}"; it must be ${SNAPSHOT_GROUP}`,
    );
  }
  return { kind: "snapshot", namespace, name };
}

/** As metrics have it. */
export function sourceLabel(claim: PersistentVolumeClaim): string {
  return specOf(claim).dataSource?.kind ?? "";
}

/** Whether the claim is still to be filled from this source. Claims that are bound or lost need it no longer. */
export function isWaitingFor(claim: PersistentVolumeClaim, kind: "claim" | "snapshot", name: string): boolean {
  const phase = claim.status?.phase ?? "Pending";
  const { dataSource, dataSourceRef } = specOf(claim);
  const wanted = kind === "claim" ? "PersistentVolumeClaim" : "VolumeSnapshot";
  const reference = dataSource ?? dataSourceRef;
  return phase === "Pending" && reference?.kind === wanted && reference.name === name;
}
