/**
 * What is under way, written before it begins. At a start, the ones that are found say what a crash cut short: what was being
 * made is undone, what was being removed or grown is finished.
 */
export type Intent = { readonly id: string } & (
  | {
      readonly operation: "create-volume";
      readonly volumeId: string;
      readonly partialPath: string;
      readonly sourceVolumeId?: string;
    }
  | { readonly operation: "delete-volume"; readonly volumeId: string }
  | { readonly operation: "expand-volume"; readonly volumeId: string; readonly toBytes: bigint }
  | SnapshotsIntent<"create-snapshots">
  | SnapshotsIntent<"delete-snapshots">
);

type SnapshotsIntent<Operation extends string> = {
  readonly operation: Operation;
  readonly snapshotIds: readonly string[];
  readonly volumeIds: readonly string[];
  readonly groupId?: string;
};

/** Intents of one operation on one subject share a name: a retry takes the place of what it retries. */
export const intentId = (operation: Intent["operation"], subjectId: string) => `${operation}.${subjectId}`;
