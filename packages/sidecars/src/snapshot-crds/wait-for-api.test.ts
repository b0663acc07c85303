import { ApiStatusError, type KubeClient } from "@stowage/kube";
import { hasErrorCode, type Logger, silentLogger } from "@stowage/machinery";
import { ManualClock } from "@stowage/machinery/testing";
import { describe, expect, it } from "vitest";
import { snapshotCrds } from "./snapshot-crds.ts";
import { waitForSnapshotApi } from "./wait-for-api.ts";

const SINGLE = "/apis/snapshot.storage.k8s.io/v1";
const GROUPED = "/apis/groupsnapshot.storage.k8s.io/v1";

/** A server that has these paths, and whose CRDs the test installs. */
function server(...paths: string[]) {
  const installed = new Set(paths);
  const warnings: object[] = [];
  const getPath = async (path: string) => {
    if (!installed.has(path)) throw new ApiStatusError({ code: 404 }, { method: "GET", url: path });
    const group = path.split("/")[2];
    const names = snapshotCrds.filter(({ spec }) => spec.group === group).map(({ spec }) => spec.names.plural);
    return { resources: names.flatMap((name) => [{ name }, { name: `${name}/status` }]) };
  };
  const client = { getPath } as unknown as Pick<KubeClient, "getPath">;
  const logger: Logger = { ...silentLogger, warn: (fields: object) => void warnings.push(fields) };
  return { client, clock: new ManualClock(), logger, installed, warnings };
}

describe("waiting for the CRDs of snapshots", () => {
  it("does not wait when all are there", async () => {
    const deps = server(SINGLE, GROUPED);
    expect(await waitForSnapshotApi(deps, { timeoutMs: 30_000 })).toEqual({ hasGroupSnapshots: true });
    expect(deps.clock.monotonicMs()).toBe(0);
  });

  it("waits for those that are just being installed", async () => {
    const deps = server();
    const waiting = waitForSnapshotApi(deps, { timeoutMs: 30_000 });
    await deps.clock.advance(2_000);
    deps.installed.add(SINGLE);
    await deps.clock.advance(2_000);
    deps.installed.add(GROUPED);
    await deps.clock.advance(5_000);
    expect(await waiting).toEqual({ hasGroupSnapshots: true });
  });

  it("gives up on those of groups soon, with a warning", async () => {
    const deps = server(SINGLE);
    const waiting = waitForSnapshotApi(deps, { timeoutMs: 30_000 });
    await deps.clock.advance(5_000);
    expect(await waiting).toEqual({ hasGroupSnapshots: false });
    expect(deps.warnings).toMatchObject([{ missing: { length: 3 } }]);
  });

  it("asks only once when it is not to wait", async () => {
    expect(await waitForSnapshotApi(server(SINGLE), { timeoutMs: 0 })).toEqual({ hasGroupSnapshots: false });
  });

  it("fails without them, and names them and how to install them", async () => {
    const deps = server(GROUPED);
    const waiting = waitForSnapshotApi(deps, { timeoutMs: 30_000 }).catch((error: unknown) => error);
    await deps.clock.advance(30_000);
    const error = await waiting;
    expect(hasErrorCode(error, "SNAPSHOT_CRDS_MISSING")).toBe(true);
    expect(String(error)).toContain("volumesnapshots of snapshot.storage.k8s.io/v1");
  });

  it("passes on what keeps it from asking", async () => {
    const deps = server();
    const forbidden = new ApiStatusError({ code: 403 }, { method: "GET", url: SINGLE });
    const client = { getPath: () => Promise.reject(forbidden) };
    await expect(waitForSnapshotApi({ ...deps, client }, { timeoutMs: 1 })).rejects.toBe(forbidden);
  });
});

it("ships six definitions, each with one version, which is stored", () => {
  const names = snapshotCrds.map(({ metadata }) => metadata.name);
  expect(names).toEqual([
    "volumesnapshots.snapshot.storage.k8s.io",
    "volumesnapshotcontents.snapshot.storage.k8s.io",
    "volumesnapshotclasses.snapshot.storage.k8s.io",
    "volumegroupsnapshots.groupsnapshot.storage.k8s.io",
    "volumegroupsnapshotcontents.groupsnapshot.storage.k8s.io",
    "volumegroupsnapshotclasses.groupsnapshot.storage.k8s.io",
  ]);
  for (const { spec } of snapshotCrds) {
    expect(spec.versions).toMatchObject([{ name: "v1", served: true, storage: true }]);
    expect(spec.conversion).toEqual({ strategy: "None" });
    const hasStatus = !spec.names.kind.endsWith("Class");
    expect(spec.versions[0]?.subresources).toEqual(hasStatus ? { status: {} } : undefined);
  }
});
