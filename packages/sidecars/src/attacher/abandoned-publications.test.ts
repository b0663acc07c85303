import type { CsiClient } from "@stowage/csi";
import type { KubeClient } from "@stowage/kube";
import { type PersistentVolume, silentLogger, type VolumeAttachment } from "@stowage/machinery";
import { describe, expect, it } from "vitest";
import type { LatestObjects } from "../caches/index.ts";
import { detachAbandoned, dropRecordOf, missingAttachments } from "./abandoned-publications.ts";
import type { Attaching } from "./attaching.ts";
import { attachmentOf, FINALIZER, volumeOf } from "./fixtures/attachments.ts";
import { attacherDefaults } from "./options.ts";
import { publicationRecords, recordKey, recordOf, recordValue } from "./publication-record.ts";
import { releaseVolume } from "./volume-release.ts";

const attachment = attachmentOf({ uid: "va-uid" });
const record = recordOf(attachment, "id-1");

function recordedVolume(metadata: PersistentVolume["metadata"] = {}): PersistentVolume {
  const volume = volumeOf({ uid: "pv-uid", finalizers: [FINALIZER], ...metadata });
  const annotations = { [recordKey(record.node)]: recordValue(volume, record) };
  return { ...volume, metadata: { ...volume.metadata, annotations } };
}

interface Circumstances {
  readonly volume?: PersistentVolume;
  /** In the local copy. */
  readonly cached?: readonly VolumeAttachment[];
  /** What the server has under the record's name. */
  readonly live?: VolumeAttachment;
  readonly isRefused?: boolean;
}

/** An attacher at which a volume is recorded as published. */
function bench({ volume = recordedVolume(), cached = [], live, isRefused = false }: Circumstances = {}) {
  const unpublished: unknown[] = [];
  const patches: unknown[] = [];
  let current = volume;
  const client = {
    find: async () => live,
    patch: async (_type: unknown, _ref: unknown, { patch }: { patch: unknown }) => {
      patches.push(patch);
      return { ...current, metadata: { ...current.metadata, annotations: {} } };
    },
  } as unknown as KubeClient;
  const controllerUnpublishVolume = async (request: unknown) => {
    if (isRefused) throw new Error("refused");
    unpublished.push(request);
    return {};
  };
  const volumes: LatestObjects<PersistentVolume> = {
    get: () => current,
    getByKey: () => current,
    wrote(written) {
      current = written;
      return written;
    },
  };
  const deps = {
    client,
    csi: { controller: { controllerUnpublishVolume } } as unknown as CsiClient,
    driver: { name: "csi.example.com", controller: new Set(["PUBLISH_UNPUBLISH_VOLUME"]) } as unknown,
    options: attacherDefaults,
    logger: silentLogger,
    finalizer: FINALIZER,
    volumes,
    attachments: { getByKey: (name: string) => cached.find(({ metadata }) => metadata.name === name) },
    publishedFor: () => [current],
    attachmentsOf: () => cached,
  } as unknown as Attaching;
  const signal = new AbortController().signal;
  return { deps, unpublished, patches, records: () => publicationRecords(current), signal };
}

const dropped = [{ metadata: { annotations: { [recordKey("node-1")]: null } } }];

describe("a volume that is published for a VolumeAttachment that is gone", () => {
  it("is detached from the node that the record names, and the record goes", async () => {
    const { deps, unpublished, patches, records, signal } = bench();
    await detachAbandoned(deps, "va-1", signal);
    expect(unpublished).toEqual([{ volumeId: "vol-1", nodeId: "id-1", secrets: {} }]);
    expect(patches).toEqual(dropped);
    expect(records()).toEqual([]);
  });

  it("keeps its record until the driver has detached it, and its finalizer as well", async () => {
    const volume = recordedVolume({ deletionTimestamp: "2026-01-31T15:04:05Z" });
    const { deps, patches, signal } = bench({ volume, isRefused: true });
    await expect(detachAbandoned(deps, "va-1", signal)).rejects.toThrow("refused");
    await releaseVolume(deps, "pv-1");
    expect(patches).toEqual([]);
  });

  it("is looked at when the process starts", () => {
    expect(missingAttachments(bench().deps, recordedVolume())).toEqual(["va-1"]);
    expect(missingAttachments(bench({ cached: [attachment] }).deps, recordedVolume())).toEqual([]);
  });
});

describe("a volume that is published", () => {
  const ofAnotherNode = attachmentOf({}, { spec: { ...attachment.spec, nodeName: "node-2" } });
  const another = attachmentOf({ name: "va-2" });
  const withoutRecord = volumeOf({ uid: "pv-uid" });
  const ofAnotherDriver = { ...recordedVolume(), spec: { csi: { driver: "other", volumeHandle: "vol-1" } } };

  it.each<[string, Circumstances, number]>([
    ["stays so while its VolumeAttachment is there", { cached: [attachment] }, 0],
    ["stays so when the server has what the local copy lacks", { live: attachment }, 0],
    ["stays so for another VolumeAttachment of the same node", { cached: [another] }, 0],
    ["goes when the name is another node's by now", { cached: [ofAnotherNode], live: ofAnotherNode }, 1],
    ["stays so when somebody attached it by hand", { volume: withoutRecord }, 0],
    ["stays so when it is another driver's", { volume: ofAnotherDriver }, 0],
  ])("%s", async (_, circumstances, calls) => {
    const { deps, unpublished, signal } = bench(circumstances);
    await detachAbandoned(deps, "va-1", signal);
    expect(unpublished).toHaveLength(calls);
  });
});

describe("the record", () => {
  it("goes when the volume was detached", async () => {
    const { deps, patches } = bench();
    await dropRecordOf(deps, attachment);
    await dropRecordOf(deps, attachment);
    expect(patches).toEqual(dropped);
  });

  it("of the next VolumeAttachment stays", async () => {
    const { deps, patches } = bench();
    await dropRecordOf(deps, attachmentOf({ uid: "earlier-uid" }));
    expect(patches).toEqual([]);
  });
});
