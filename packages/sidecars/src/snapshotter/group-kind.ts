import {
  groupSnapshotAnnotations,
  groupSnapshotReasons,
  snapshotFinalizers,
  type VolumeGroupSnapshotClass,
  type VolumeGroupSnapshotContent,
  volumeGroupSnapshotContents,
} from "@stowage/machinery";
import { type CallDeps, isForeign } from "./call-deps.ts";
import { groupFacts } from "./content-facts.ts";
import type { ContentKind } from "./content-kind.ts";
import { prepareGroupCreate, prepareGroupDelete, prepareGroupQuery } from "./group-calls.ts";

export function groupKind(deps: CallDeps<VolumeGroupSnapshotClass>): ContentKind<VolumeGroupSnapshotContent> {
  return {
    noun: "group snapshot",
    type: volumeGroupSnapshotContents,
    names: { ...groupSnapshotAnnotations, finalizer: snapshotFinalizers.groupContent },
    reasons: groupSnapshotReasons,
    clearedStatus: { volumeGroupSnapshotHandle: null, readyToUse: null, creationTime: null, error: null },
    factsOf: groupFacts,
    isForeign: ({ spec }) => isForeign(deps, spec.driver, spec.volumeGroupSnapshotClassName),
    subjectOf: ({ spec }) => `the volumes ${(spec.source.volumeHandles ?? []).join(", ")}`,
    prepareCreate: (content) => prepareGroupCreate(deps, content),
    prepareQuery: (content) => prepareGroupQuery(deps, content),
    prepareDelete: (content) => prepareGroupDelete(deps, content),
  };
}
