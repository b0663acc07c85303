import { snapshotAnnotations, snapshotFinalizers, type VolumeSnapshotContent } from "@stowage/machinery";
import { describe, expect, it } from "vitest";
import { groupFacts, snapshotFacts } from "./content-facts.ts";
import { contentStep } from "./content-step.ts";

const names = { ...snapshotAnnotations, finalizer: snapshotFinalizers.content };
const { beingCreated, beingDeleted, groupSnapshotHandle } = snapshotAnnotations;

interface Story {
  readonly annotations?: readonly string[];
  readonly isDeleting?: boolean;
  readonly policy?: "Delete" | "Retain";
  readonly source?: VolumeSnapshotContent["spec"]["source"];
  readonly uid?: string;
  readonly finalizers?: string[];
  readonly status?: VolumeSnapshotContent["status"];
}

function content(story: Story): VolumeSnapshotContent {
  const { annotations = [], isDeleting = false, policy = "Delete", uid = "u", status } = story;
  const { source = { volumeHandle: "v" }, finalizers = [snapshotFinalizers.content] } = story;
  return {
    apiVersion: "snapshot.storage.k8s.io/v1",
    kind: "VolumeSnapshotContent",
    metadata: {
      name: "c",
      finalizers,
      annotations: Object.fromEntries(annotations.map((name) => [name, "yes"])),
      ...(isDeleting && { deletionTimestamp: "2026-01-31T15:04:05Z" }),
    },
    spec: { deletionPolicy: policy, driver: "d", source, volumeSnapshotRef: { uid } },
    status,
  };
}

const existing = { snapshotHandle: "s" };
const taken = { snapshotHandle: "s", readyToUse: false };
const ready = { snapshotHandle: "s", readyToUse: true };
const inGroup = { ...taken, volumeGroupSnapshotHandle: "g" };

const stories: readonly [string, Story, string][] = [
  ["of a volume is taken", {}, "create"],
  ["that failed before is taken", { status: { readyToUse: false, error: { message: "m" } } }, "create"],
  ["that is not ready is asked for again", { status: taken }, "create"],
  ["whose call was interrupted is asked for again", { annotations: [beingCreated] }, "create"],
  ["that is ready is left alone", { status: ready }, "none"],
  ["that is ready but has its intent loses it", { status: ready, annotations: [beingCreated] }, "settle"],
  ["that exists already is looked up", { source: existing }, "query"],
  ["that exists already is looked up before it is bound too", { source: existing, uid: "" }, "query"],
  ["that exists already and is ready is left alone", { source: existing, status: ready }, "none"],
  ["without a source is left alone", { source: {} }, "none"],
  ["of a group's member waits for its id", { annotations: [groupSnapshotHandle] }, "none"],
  ["of a group's member is looked up by its id", { annotations: [groupSnapshotHandle], status: inGroup }, "query"],
  ["is deleted when its snapshot is", { isDeleting: true, annotations: [beingDeleted], status: ready }, "delete"],
  ["is deleted before it is ready", { isDeleting: true, annotations: [beingDeleted], status: taken }, "delete"],
  ["that was never begun is let go", { isDeleting: true, annotations: [beingDeleted] }, "release"],
  [
    "that the driver may be taking is asked for first, to learn its id",
    { isDeleting: true, annotations: [beingDeleted, beingCreated] },
    "create",
  ],
  [
    "that the driver may be taking is asked for first, whatever holds it",
    { isDeleting: true, annotations: [beingDeleted, beingCreated], finalizers: ["other"] },
    "create",
  ],
  [
    "that is to be retained is let go",
    { isDeleting: true, annotations: [beingDeleted], status: ready, policy: "Retain" },
    "release",
  ],
  [
    "of a group's member is let go: the group is deleted as one",
    { isDeleting: true, annotations: [beingDeleted, groupSnapshotHandle], status: { ...inGroup, readyToUse: true } },
    "release",
  ],
  [
    "of a hand-made group's member is let go too",
    { isDeleting: true, annotations: [beingDeleted], source: existing, status: { ...inGroup, readyToUse: true } },
    "release",
  ],
  ["whose snapshot stays is taken all the same", { isDeleting: true }, "create"],
  ["whose snapshot stays is kept", { isDeleting: true, status: ready }, "none"],
  ["that nothing of ours holds is not begun", { isDeleting: true, finalizers: ["other"] }, "none"],
  ["that was never bound is deleted", { isDeleting: true, source: existing, uid: "", status: ready }, "delete"],
  ["that was never bound nor found is let go", { isDeleting: true, source: existing, uid: "" }, "release"],
];

describe("a content", () => {
  it.each(stories)("%s", (_what, story, step) => {
    const made = content(story);
    expect(contentStep(made, snapshotFacts(made), names)).toBe(step);
  });
});

describe("a group's content", () => {
  const spec = { deletionPolicy: "Delete", driver: "d", volumeGroupSnapshotRef: {} } as const;
  const group = {
    apiVersion: "groupsnapshot.storage.k8s.io/v1",
    kind: "VolumeGroupSnapshotContent",
    metadata: {},
  } as const;
  const groupSnapshotHandles = { volumeGroupSnapshotHandle: "g", volumeSnapshotHandles: ["s"] };

  it("is of volumes, or exists already, or is of nothing", () => {
    expect(groupFacts({ ...group, spec: { ...spec, source: { volumeHandles: ["v"] } } }).source).toBe("volumes");
    expect(groupFacts({ ...group, spec: { ...spec, source: { groupSnapshotHandles } } }).source).toBe("existing");
    expect(groupFacts({ ...group, spec: { ...spec, source: { volumeHandles: [] } } }).source).toBe("none");
  });
});
