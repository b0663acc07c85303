import type { VolumeGroupSnapshotClass, VolumeSnapshotClass, VolumeSnapshotContent } from "@stowage/machinery";
import { ManualClock } from "@stowage/machinery/testing";
import { describe, expect, it } from "vitest";
import type { CallDeps } from "./call-deps.ts";
import { isForeign } from "./call-deps.ts";
import { prepareGroupDelete } from "./group-calls.ts";
import { snapshotterDefaults } from "./options.ts";
import { prepareCreate, prepareDelete, prepareQuery } from "./snapshot-calls.ts";

const { signal } = new AbortController();
const data = { key: Buffer.from("value").toString("base64") };

interface Circumstances {
  readonly capabilities?: readonly string[];
  readonly class?: Partial<VolumeSnapshotClass>;
}

/** Notes what the driver is asked, and which Secrets are read. */
function circumstances({ capabilities = ["LIST_SNAPSHOTS"], class: given }: Circumstances = {}) {
  const asked: unknown[] = [];
  const answer = (method: string, response: object) => async (request: object) => {
    asked.push([method, request]);
    return response;
  };
  const snapshot = { snapshotId: "s", readyToUse: true, sizeBytes: 1n, groupSnapshotId: "" };
  const deps = {
    client: {
      get: async (_type: unknown, ref: object) => {
        asked.push(["secret", ref]);
        return { data };
      },
    },
    csi: {
      controller: {
        createSnapshot: answer("create", { snapshot }),
        listSnapshots: answer("list", { entries: [{ snapshot }] }),
        deleteSnapshot: answer("delete", {}),
      },
      groupController: { deleteVolumeGroupSnapshot: answer("delete group", {}) },
    },
    driver: { name: "d", controller: new Set(capabilities) },
    clock: new ManualClock(),
    options: snapshotterDefaults,
    classes: { get: () => given && { driver: "d", ...given } },
  };
  return { deps: deps as unknown as CallDeps<VolumeSnapshotClass>, asked };
}

function content(changes: Partial<VolumeSnapshotContent> = {}): VolumeSnapshotContent {
  return {
    apiVersion: "snapshot.storage.k8s.io/v1",
    kind: "VolumeSnapshotContent",
    metadata: { name: "c" },
    spec: {
      deletionPolicy: "Delete",
      driver: "d",
      source: { snapshotHandle: "s" },
      volumeSnapshotClassName: "k",
      volumeSnapshotRef: { namespace: "n", name: "v", uid: "u" },
    },
    ...changes,
  };
}

const secretAnnotations = {
  "snapshot.storage.kubernetes.io/deletion-secret-name": "a",
  "snapshot.storage.kubernetes.io/deletion-secret-namespace": "b",
};

const listSecret = {
  "csi.storage.k8s.io/snapshotter-list-secret-name": "list",
  "csi.storage.k8s.io/snapshotter-list-secret-namespace": "b",
};

describe("asking for a snapshot that exists", () => {
  it("is by its id, with the list secret of its class", async () => {
    const { deps, asked } = circumstances({ class: { parameters: listSecret } });
    const call = await prepareQuery(deps, content());
    expect(await call(signal)).toMatchObject({ snapshotHandle: "s", readyToUse: true, restoreSize: 1 });
    expect(asked).toEqual([
      ["secret", { name: "list", namespace: "b" }],
      ["list", { snapshotId: "s", secrets: { key: "value" } }],
    ]);
  });

  it("is not done when the driver cannot list: it is taken for ready", async () => {
    const { deps, asked } = circumstances({ capabilities: [] });
    const call = await prepareQuery(deps, content());
    expect(await call(signal)).toMatchObject({ snapshotHandle: "s", readyToUse: true });
    expect(asked).toEqual([]);
  });

  it("needs no class", async () => {
    const { deps, asked } = circumstances();
    const { volumeSnapshotClassName: _class, ...spec } = content().spec;
    const call = await prepareQuery(deps, content({ spec }));
    await call(signal);
    expect(asked).toEqual([["list", { snapshotId: "s", secrets: {} }]]);
  });

  it("is with the group's secret for a member, which has no class", async () => {
    const { deps, asked } = circumstances();
    const metadata = { name: "c", annotations: secretAnnotations };
    const status = { snapshotHandle: "m", volumeGroupSnapshotHandle: "g" };
    const spec = { ...content().spec, source: { volumeHandle: "v" } };
    const call = await prepareQuery(deps, content({ metadata, spec, status }));
    await call(signal);
    expect(asked[0]).toEqual(["secret", { name: "a", namespace: "b" }]);
    expect(asked[1]).toEqual(["list", { snapshotId: "m", secrets: { key: "value" } }]);
  });

  it("fails when the class is gone", async () => {
    const { deps } = circumstances();
    await expect(prepareQuery(deps, content())).rejects.toThrow("the snapshot class k of c does not exist");
  });
});

describe("asking for a new snapshot", () => {
  const spec = { ...content().spec, source: { volumeHandle: "v" } };

  it.each([
    ["without a class", { ...spec, volumeSnapshotClassName: undefined }, {}, /c has no snapshot class/u],
    ["when the class is gone", spec, undefined, /does not exist/u],
    ["with parameters that mean nothing", spec, { parameters: { "csi.storage.k8s.io/x": "y" } }, /unknown parameters/u],
    ["for nobody", { ...spec, volumeSnapshotRef: {} }, {}, /refers to no snapshot/u],
  ])("is refused before the driver is asked %s", async (_when, given, snapshotClass, message) => {
    const { deps, asked } = circumstances({ class: snapshotClass });
    await expect(prepareCreate(deps, content({ spec: given }))).rejects.toThrow(message);
    expect(asked).toEqual([]);
  });
});

it("deletes with the secret that the content keeps in mind", async () => {
  const { deps, asked } = circumstances();
  const metadata = { name: "c", annotations: secretAnnotations };
  const call = await prepareDelete(deps, content({ metadata, status: { snapshotHandle: "told" } }));
  await call(signal);
  expect(asked[1]).toEqual(["delete", { snapshotId: "told", secrets: { key: "value" } }]);
});

it("deletes a group with the members that the driver told of, or that somebody wrote down", async () => {
  const { deps, asked } = circumstances();
  const groupSnapshotHandles = { volumeGroupSnapshotHandle: "g", volumeSnapshotHandles: ["written"] };
  const group = {
    apiVersion: "groupsnapshot.storage.k8s.io/v1",
    kind: "VolumeGroupSnapshotContent",
    metadata: {},
    spec: { deletionPolicy: "Delete", driver: "d", source: { groupSnapshotHandles }, volumeGroupSnapshotRef: {} },
  } as const;
  const groupDeps = deps as unknown as CallDeps<VolumeGroupSnapshotClass>;
  const spec = { ...group.spec, source: { groupSnapshotHandles: { ...groupSnapshotHandles } } };
  const told = { volumeGroupSnapshotHandle: "t", volumeSnapshotInfoList: [{ snapshotHandle: "told" }] };
  await (await prepareGroupDelete(groupDeps, { ...group, spec }))(signal);
  await (await prepareGroupDelete(groupDeps, { ...group, spec, status: told }))(signal);
  expect(asked).toEqual([
    ["delete group", { groupSnapshotId: "g", snapshotIds: ["written"], secrets: {} }],
    ["delete group", { groupSnapshotId: "t", snapshotIds: ["told"], secrets: {} }],
  ]);
});

it.each([
  ["ours", "d", "d", false],
  ["another driver's", "e", "d", true],
  ["another driver's by its class", "d", "e", true],
] as const)("knows a content that is %s", (_whose, driver, classDriver, expected) => {
  const { deps } = circumstances({ class: { driver: classDriver } });
  expect(isForeign(deps, driver, "k")).toBe(expected);
});
