import type { Informer, InformerFactory } from "@stowage/kube";
import { type KubernetesObject, type ResourceType, silentLogger } from "@stowage/machinery";
import { ManualClock } from "@stowage/machinery/testing";
import { describe, expect, it } from "vitest";
import type { SidecarDeps } from "../sidecar.ts";
import { createSnapshotController, snapshotControllerDefaults } from "../snapshot-controller/index.ts";
import { snapshotterDefaults } from "./options.ts";
import { createSnapshotter } from "./snapshotter.ts";

/** Notes which caches are asked for: each would be a watch. */
function parts(capabilities: readonly string[]) {
  const watched: string[] = [];
  const informer = <T extends KubernetesObject>(type: ResourceType<T>, { labelSelector = "" } = {}): Informer<T> => {
    watched.push(labelSelector === "" ? type.plural : `${type.plural} ${labelSelector}`);
    const objects = { get: () => undefined, getByKey: () => undefined, list: () => [] };
    return { type, objects, addHandler: () => {}, addIndex: () => {} } as unknown as Informer<T>;
  };
  const deps = {
    informers: { informer } as unknown as InformerFactory,
    driver: { name: "d", controller: new Set(capabilities), groupController: new Set(), plugin: new Set() },
    clock: new ManualClock(),
    logger: silentLogger,
  } as unknown as SidecarDeps;
  return { deps, watched };
}

const contents = ["volumesnapshotcontents", "volumesnapshotclasses"];
const groups = ["volumegroupsnapshotcontents", "volumegroupsnapshotclasses"];

describe("the snapshotter", () => {
  it("watches contents and classes, those of groups too", () => {
    const { deps, watched } = parts(["CREATE_DELETE_SNAPSHOT"]);
    createSnapshotter(deps, snapshotterDefaults);
    expect(watched).toEqual([...contents, ...groups]);
  });

  it("watches nothing of groups where their CRDs are missing", () => {
    const { deps, watched } = parts(["CREATE_DELETE_SNAPSHOT"]);
    createSnapshotter(deps, { ...snapshotterDefaults, hasGroupSnapshots: false });
    expect(watched).toEqual(contents);
  });

  it("on a node watches the contents that are labelled for it", () => {
    const { deps, watched } = parts(["CREATE_DELETE_SNAPSHOT"]);
    createSnapshotter(deps, { ...snapshotterDefaults, hasGroupSnapshots: false, nodeName: "node" });
    expect(watched[0]).toBe("volumesnapshotcontents snapshot.storage.kubernetes.io/managed-by=node");
  });

  it("does nothing, and ends in order, with a driver that takes no snapshots", async () => {
    const { deps, watched } = parts([]);
    const sidecar = createSnapshotter(deps, snapshotterDefaults);
    expect(watched).toEqual([]);
    const stop = new AbortController();
    const ended = sidecar.run(stop.signal);
    stop.abort();
    await expect(ended).resolves.toBeUndefined();
  });

  it("refuses empty prefixes", () => {
    const { deps } = parts(["CREATE_DELETE_SNAPSHOT"]);
    expect(() => createSnapshotter(deps, { ...snapshotterDefaults, snapshotNamePrefix: "" })).toThrow("need a prefix");
    expect(() => createSnapshotter(deps, { ...snapshotterDefaults, groupSnapshotNamePrefix: "" })).toThrow(
      "need a prefix",
    );
  });
});

describe("the snapshot controller", () => {
  const single = ["persistentvolumeclaims", "persistentvolumes", ...contents, "volumesnapshots"];

  it.each([
    ["with groups", {}, [...single, ...groups, "volumegroupsnapshots"]],
    ["without groups where their CRDs are missing", { hasGroupSnapshots: false }, single],
    ["with nodes when it is distributed", { hasGroupSnapshots: false, isDistributed: true }, [...single, "nodes"]],
  ])("watches %s", (_what, options, expected) => {
    const { deps, watched } = parts([]);
    createSnapshotController(deps, { ...snapshotControllerDefaults, ...options });
    expect([...new Set(watched)].toSorted()).toEqual(expected.toSorted());
  });
});
