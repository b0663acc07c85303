import type { StepName, VolumeForm } from "./local-driver-plan.ts";

/** A step to kill the driver in, and what is done before it. */
export interface Scenario {
  readonly name: string;
  readonly form: VolumeForm;
  readonly before: readonly StepName[];
  readonly step: StepName;
  /** A change of mounts alone may stop half-way until it is asked for again; a change of state may not. */
  readonly isAllOrNothing: boolean;
}

type Row = readonly [name: string, before: readonly StepName[], step: StepName];

const scenariosOf = (form: VolumeForm, isAllOrNothing: boolean, rows: readonly Row[]): Scenario[] =>
  rows.map(([name, before, step]) => ({ name, form, before, step, isAllOrNothing }));

export const scenarios: readonly Scenario[] = [
  ...scenariosOf("ext4", true, [
    ["creating a volume", [], "create"],
    ["deleting a volume", ["create"], "delete"],
    ["taking a snapshot of a mounted volume", ["create", "stage", "write"], "snapshot"],
    ["deleting a snapshot", ["create", "snapshot"], "deleteSnapshot"],
    ["taking a group snapshot", ["create", "createSecond", "stage"], "groupSnapshot"],
    ["cloning a mounted volume", ["create", "stage", "write"], "clone"],
    ["restoring a snapshot", ["create", "snapshot"], "restore"],
    ["growing a volume", ["create"], "expand"],
  ]),
  ...scenariosOf("ext4", false, [
    ["staging", ["create"], "stage"],
    ["staging a volume that has grown", ["create", "stage", "write", "unstage", "expand"], "stage"],
    ["publishing", ["create", "stage"], "publish"],
    ["publishing read-only", ["create", "stage"], "publishReadOnly"],
    ["unpublishing", ["create", "stage", "publish"], "unpublish"],
    ["unstaging", ["create", "stage"], "unstage"],
    ["publishing an ephemeral volume", [], "publishEphemeral"],
    ["unpublishing an ephemeral volume", ["publishEphemeral"], "unpublishEphemeral"],
  ]),
  ...scenariosOf("xfs", false, [
    ["staging a volume that has grown", ["create", "stage", "write", "unstage", "expand"], "stage"],
    ["growing a mounted file system", ["create", "stage", "write", "expand"], "nodeExpand"],
  ]),
  ...scenariosOf("block", false, [
    ["staging", ["create"], "stage"],
    ["publishing", ["create", "stage"], "publish"],
    // A raw device that is only staged is let go of at a restart, so one that is staged beside would not stay.
    ["publishing read-only", ["create"], "publishReadOnly"],
    ["unpublishing what is read-only", ["create", "stage", "publishReadOnly"], "unpublish"],
    ["unstaging", ["create", "stage", "publish", "unpublish"], "unstage"],
  ]),
  ...scenariosOf("directory", true, [
    ["creating a volume", [], "create"],
    ["deleting a volume", ["create", "stage", "publish", "write", "unpublish"], "delete"],
    ["taking a snapshot", ["create", "stage", "publish", "write"], "snapshot"],
    ["deleting a snapshot", ["create", "stage", "publish", "write", "snapshot"], "deleteSnapshot"],
    ["taking a group snapshot", ["create", "createSecond"], "groupSnapshot"],
    ["cloning a volume", ["create", "stage", "publish", "write"], "clone"],
    ["restoring a snapshot", ["create", "stage", "publish", "write", "snapshot"], "restore"],
    ["growing a volume", ["create"], "expand"],
  ]),
  ...scenariosOf("directory", false, [
    ["staging", ["create"], "stage"],
    ["publishing", ["create", "stage"], "publish"],
    ["unpublishing", ["create", "stage", "publish", "write"], "unpublish"],
    ["publishing an ephemeral volume", [], "publishEphemeral"],
    ["unpublishing an ephemeral volume", ["publishEphemeral"], "unpublishEphemeral"],
  ]),
];
