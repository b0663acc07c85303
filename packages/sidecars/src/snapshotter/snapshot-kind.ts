import {
  snapshotAnnotations,
  snapshotFinalizers,
  snapshotReasons,
  type VolumeSnapshotClass,
  type VolumeSnapshotContent,
  volumeSnapshotContents,
} from "@stowage/machinery";
import { type CallDeps, isForeign } from "./call-deps.ts";
import { snapshotFacts } from "./content-facts.ts";
import type { ContentKind } from "./content-kind.ts";
import { prepareCreate, prepareDelete, prepareQuery } from "./snapshot-calls.ts";

export function snapshotKind(deps: CallDeps<VolumeSnapshotClass>): ContentKind<VolumeSnapshotContent> {
  return {
    noun: "snapshot",
    type: volumeSnapshotContents,
    names: { ...snapshotAnnotations, finalizer: snapshotFinalizers.content },
    reasons: snapshotReasons,
    clearedStatus: { snapshotHandle: null, readyToUse: null, creationTime: null, restoreSize: null },
    factsOf: snapshotFacts,
    isForeign: ({ spec }) => isForeign(deps, spec.driver, spec.volumeSnapshotClassName),
    subjectOf: ({ spec }) => `the volume ${spec.source.volumeHandle}`,
    prepareCreate: (content) => prepareCreate(deps, content),
    prepareQuery: (content) => prepareQuery(deps, content),
    prepareDelete: (content) => prepareDelete(deps, content),
  };
}
