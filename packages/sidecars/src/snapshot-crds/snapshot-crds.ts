import type { CustomResourceDefinition } from "@stowage/machinery";
import {
  volumeGroupSnapshotClassDefinition,
  volumeGroupSnapshotContentDefinition,
  volumeGroupSnapshotDefinition,
} from "./group-definitions.ts";
import {
  volumeSnapshotClassDefinition,
  volumeSnapshotContentDefinition,
  volumeSnapshotDefinition,
} from "./snapshot-definitions.ts";

/** All six. The same as files, for `kubectl apply -f`, are in `packages/sidecars/crds/`. */
export const snapshotCrds: readonly CustomResourceDefinition[] = [
  volumeSnapshotDefinition,
  volumeSnapshotContentDefinition,
  volumeSnapshotClassDefinition,
  volumeGroupSnapshotDefinition,
  volumeGroupSnapshotContentDefinition,
  volumeGroupSnapshotClassDefinition,
];
