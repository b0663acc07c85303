import type { PersistentVolumeClaim } from "@stowage/machinery";
import { describe, expect, test } from "vitest";
import { isExpansionNews, isModificationNews } from "./claim-news.ts";
import type { ResizeStatus } from "./claim-sizes.ts";
import { claimOf, requesting } from "./fixtures/claims.ts";

const capacity = { storage: "1Gi" };
const stateOf = (storage: ResizeStatus) =>
  claimOf({ status: { phase: "Bound", capacity, allocatedResourceStatuses: { storage } } });

describe("an update of a claim", () => {
  test.each<[string, PersistentVolumeClaim, PersistentVolumeClaim]>([
    ["requests more", claimOf(), claimOf({ spec: requesting("3Gi") })],
    ["requests less", claimOf({ spec: requesting("3Gi") }), claimOf()],
    ["has grown", claimOf(), claimOf({ status: { phase: "Bound", capacity: { storage: "2Gi" } } })],
    ["is bound now", claimOf({ status: { phase: "Pending", capacity } }), claimOf()],
    [
      "names another resizer",
      claimOf(),
      claimOf({ metadata: { annotations: { "volume.kubernetes.io/storage-resizer": "x" } } }),
    ],
    ["failed on the node", stateOf("NodeResizeInProgress"), stateOf("NodeResizeInfeasible")],
    ["is at rest again", stateOf("NodeResizeInProgress"), claimOf()],
  ])("that %s is news for its expansion", (_, previous, claim) => {
    expect(isExpansionNews(claim, previous)).toBe(true);
  });

  test.each<[string, PersistentVolumeClaim, PersistentVolumeClaim]>([
    ["has a new label", claimOf(), claimOf({ metadata: { labels: { a: "b" } } })],
    ["requests the same in other words", claimOf(), claimOf({ spec: requesting("2048Mi") })],
    ["was begun by the resizer", claimOf(), stateOf("ControllerResizeInProgress")],
    ["was given up by the resizer", stateOf("ControllerResizeInProgress"), stateOf("ControllerResizeInfeasible")],
    ["was handed to the node", stateOf("ControllerResizeInProgress"), stateOf("NodeResizePending")],
  ])("that %s is none", (_, previous, claim) => {
    expect(isExpansionNews(claim, previous)).toBe(false);
  });

  const wishing = (name: string, more: Partial<PersistentVolumeClaim["status"]> = {}) =>
    claimOf({ spec: { volumeAttributesClassName: name }, status: { phase: "Bound", capacity, ...more } });
  const inProgress = { modifyVolumeStatus: { status: "InProgress", targetVolumeAttributesClassName: "gold" } } as const;
  const silver = { currentVolumeAttributesClassName: "silver" };

  test.each<[string, PersistentVolumeClaim, PersistentVolumeClaim, boolean]>([
    ["names a class for the first time", claimOf(), wishing("gold"), true],
    ["names another class", wishing("silver", silver), wishing("gold", silver), true],
    ["names another class while one is under way", wishing("gold", inProgress), wishing("silver", inProgress), true],
    ["is finished while another is wanted", wishing("gold", inProgress), wishing("gold", silver), true],
    ["is finished", wishing("silver", inProgress), wishing("silver", silver), false],
    ["was begun", wishing("gold"), wishing("gold", inProgress), false],
    ["is not bound", wishing("gold"), wishing("silver", { phase: "Pending" }), false],
  ])("that %s is news for its class: %#", (_, previous, claim, isNews) => {
    expect(isModificationNews(claim, previous)).toBe(isNews);
  });
});
