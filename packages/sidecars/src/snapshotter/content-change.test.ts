import { snapshotAnnotations, type VolumeSnapshotContent } from "@stowage/machinery";
import { expect, it } from "vitest";
import { isNews } from "./content-change.ts";

const { beingCreated, beingDeleted } = snapshotAnnotations;

const before: VolumeSnapshotContent = {
  apiVersion: "snapshot.storage.k8s.io/v1",
  kind: "VolumeSnapshotContent",
  metadata: { name: "c", resourceVersion: "1", annotations: { a: "b" } },
  spec: { deletionPolicy: "Delete", driver: "d", source: { volumeHandle: "v" }, volumeSnapshotRef: {} },
};

function after({ metadata, ...changes }: Partial<VolumeSnapshotContent>): VolumeSnapshotContent {
  return { ...before, ...changes, metadata: { ...before.metadata, resourceVersion: "2", ...metadata } };
}

it.each<[string, VolumeSnapshotContent, boolean]>([
  ["a resync is", before, true],
  ["another version of the same is not", after({}), false],
  ["its own error is not", after({ status: { readyToUse: false, error: { message: "m" } } }), false],
  ["its own intent is not", after({ metadata: { annotations: { a: "b", [beingCreated]: "yes" } } }), false],
  ["a finalizer is not", after({ metadata: { finalizers: ["f"] } }), false],
  ["that it is ready is", after({ status: { readyToUse: true } }), true],
  ["that it is being deleted is", after({ metadata: { deletionTimestamp: "2026-01-31T15:04:05Z" } }), true],
  [
    "that its snapshot is being deleted is",
    after({ metadata: { annotations: { a: "b", [beingDeleted]: "yes" } } }),
    true,
  ],
  ["another annotation is", after({ metadata: { annotations: {} } }), true],
  ["a label is", after({ metadata: { labels: { l: "m" } } }), true],
  ["a change of the spec is", after({ spec: { ...before.spec, deletionPolicy: "Retain" } }), true],
])("%s news", (_what, content, expected) => {
  expect(isNews(content, before, beingCreated)).toBe(expected);
});

it("taking the intent back is not news", () => {
  const intended = after({ metadata: { annotations: { a: "b", [beingCreated]: "yes" } } });
  expect(isNews(after({ metadata: { resourceVersion: "3" } }), intended, beingCreated)).toBe(false);
});
