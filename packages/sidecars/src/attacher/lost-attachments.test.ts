import type { CsiClient } from "@stowage/csi";
import type { KubeClient } from "@stowage/kube";
import { type Logger, silentLogger } from "@stowage/machinery";
import { describe, expect, it } from "vitest";
import type { LatestObjects } from "../caches/index.ts";
import type { Attaching } from "./attaching.ts";
import { attachmentOf, FINALIZER, volumeOf } from "./fixtures/attachments.ts";
import { detachLost, noteLost, wentPastFinalizer } from "./lost-attachments.ts";
import { attacherDefaults } from "./options.ts";

describe("a VolumeAttachment that is gone", () => {
  const deletionTimestamp = "2026-01-31T15:04:05Z";

  it.each([
    ["went past the finalizer when it was never marked as being deleted", { finalizers: [FINALIZER] }, true],
    ["went in order when it was marked", { finalizers: [FINALIZER], deletionTimestamp }, false],
    ["could go at any time without the finalizer", { finalizers: ["somebody.else/one"] }, false],
    ["could go at any time without any", {}, false],
  ])("%s", (_, metadata, expected) => {
    expect(wentPastFinalizer(attachmentOf(metadata), FINALIZER)).toBe(expected);
  });
});

/** An attacher whose driver refuses some calls at first. */
function lostBench({ refusals = 0, hasVolume = true } = {}) {
  const calls: unknown[] = [];
  const errors: string[] = [];
  let left = refusals;
  const controllerUnpublishVolume = async (request: unknown) => {
    calls.push(request);
    if (left-- > 0) throw new Error("refused");
    return {};
  };
  const logger: Logger = { ...silentLogger, error: (_, message) => void errors.push(message) };
  const deps = {
    client: {} as KubeClient,
    csi: { controller: { controllerUnpublishVolume } } as unknown as CsiClient,
    driver: { name: "csi.example.com" } as Attaching["driver"],
    options: attacherDefaults,
    logger,
    lost: new Map(),
    volumes: { getByKey: () => (hasVolume ? volumeOf() : undefined) } as unknown as LatestObjects<
      ReturnType<typeof volumeOf>
    >,
    csiNodes: { get: () => undefined } as unknown as Attaching["csiNodes"],
  };
  return { deps, calls, errors, signal: new AbortController().signal };
}

const gone = attachmentOf({ annotations: { "csi.alpha.kubernetes.io/node-id": "id-1" } });

describe("what went past its finalizer", () => {
  it("is detached from the node that its intent names, once", async () => {
    const { deps, calls, signal } = lostBench();
    noteLost(deps, gone);
    await detachLost(deps, "va-1", signal);
    await detachLost(deps, "va-1", signal);
    expect(calls).toEqual([{ volumeId: "vol-1", nodeId: "id-1", secrets: {} }]);
  });

  it("is kept in mind until the driver has detached it", async () => {
    const { deps, calls, signal } = lostBench({ refusals: 1 });
    noteLost(deps, gone);
    await expect(detachLost(deps, "va-1", signal)).rejects.toThrow("refused");
    await detachLost(deps, "va-1", signal);
    expect(calls).toHaveLength(2);
  });

  it("does not need its PersistentVolume any more", async () => {
    const bench = lostBench();
    noteLost(bench.deps, gone);
    const volumes = { ...bench.deps.volumes, getByKey: () => undefined };
    await detachLost({ ...bench.deps, volumes } as typeof bench.deps, "va-1", bench.signal);
    expect(bench.calls).toHaveLength(1);
  });

  it("is complained of when nobody knows its volume", () => {
    const { deps, errors } = lostBench({ hasVolume: false });
    noteLost(deps, gone);
    expect(deps.lost.size).toBe(0);
    expect(errors).toEqual(["it was deleted past its finalizer, and its volume cannot be told"]);
  });
});
