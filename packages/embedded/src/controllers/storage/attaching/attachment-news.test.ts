import type { InformerHandler } from "@stowage/kube";
import { StowageError, type VolumeAttachment, type VolumeAttachmentStatus } from "@stowage/machinery";
import { ManualClock, settled } from "@stowage/machinery/testing";
import { expect, it } from "vitest";
import { attachVerdict, detachVerdict } from "./attach.ts";
import { AttachmentNews } from "./attachment-news.ts";

const attachment = (status: VolumeAttachmentStatus, metadata = {}): VolumeAttachment => ({
  apiVersion: "storage.k8s.io/v1",
  kind: "VolumeAttachment",
  metadata: { name: "csi-1", ...metadata },
  spec: { attacher: "csi.example.org", nodeName: "node-1", source: { persistentVolumeName: "pv" } },
  status,
});
const failed = attachment({ attached: false, attachError: { message: "no room" } });
const late = new StowageError("VOLUME_NOT_ATTACHED", "late");

function waiting() {
  const clock = new ManualClock();
  let present: VolumeAttachment | undefined;
  const handlers: InformerHandler<VolumeAttachment>[] = [];
  const objects = { getByKey: () => present } as unknown as ConstructorParameters<typeof AttachmentNews>[0]["objects"];
  const addHandler = (handler: InformerHandler<VolumeAttachment>) => {
    handlers.push(handler);
    return { hasSynced: true, remove: () => {} };
  };
  const news = new AttachmentNews({ objects, addHandler }, clock);
  const stop = new AbortController();
  const outcome = news
    .until("csi-1", attachVerdict, { late, timeoutMs: 120_000, signal: stop.signal })
    .then(() => "attached", String);
  const bring = async (object: VolumeAttachment | undefined) => {
    present = object;
    for (const handler of handlers) handler.onKey?.("csi-1");
    await settled();
  };
  return { clock, outcome, bring, stop };
}

it("goes on as soon as the attacher is done", async () => {
  const { outcome, bring, clock } = waiting();
  await bring(attachment({ attached: false }));
  await bring(attachment({ attached: true }));
  expect(await outcome).toBe("attached");
  expect(clock.sleeping).toBe(0);
});

it("gives an error half a second to be overtaken by a better try", async () => {
  const overtaken = waiting();
  await overtaken.bring(failed);
  await overtaken.clock.advance(400);
  await overtaken.bring(attachment({ attached: true }));
  expect(await overtaken.outcome).toBe("attached");
  const standing = waiting();
  await standing.bring(failed);
  await standing.clock.advance(500);
  expect(await standing.outcome).toContain("no room");
});

it("gives up after two minutes", async () => {
  const { clock, outcome } = waiting();
  await clock.advance(120_000);
  expect(await outcome).toContain("late");
});

it("stops when it is told to", async () => {
  const { stop, outcome } = waiting();
  stop.abort(new Error("stopped"));
  expect(await outcome).toContain("stopped");
});

it("judges a VolumeAttachment by what attachers write into it", () => {
  expect(attachVerdict(undefined)).toBe("under way");
  expect(attachVerdict(attachment({ attached: true }))).toBe("done");
  const deleted = attachment({ attached: true }, { deletionTimestamp: "2026-01-01T00:00:00Z" });
  expect(attachVerdict(deleted)).toMatchObject({ message: "volume attachment is being deleted" });
  expect(detachVerdict(undefined)).toBe("done");
  expect(detachVerdict(attachment({ attached: true }))).toBe("under way");
  const stuck = attachment({ attached: true, detachError: { message: "locked" } });
  expect(detachVerdict(stuck)).toMatchObject({ code: "VOLUME_NOT_DETACHED", message: "locked" });
});
