import { CsiError } from "@stowage/csi";
import { type ObjectMeta, StowageError } from "@stowage/machinery";
import { describe, expect, it, test } from "vitest";
import {
  attachErrorPatch,
  attachedPatch,
  attachIntentPatch,
  detachErrorPatch,
  detachedPatch,
  removeVolumeFinalizerPatch,
  volumeIntentPatch,
  withoutFinalizerPatch,
  withoutRecordPatch,
} from "./attachment-patches.ts";
import { attachmentOf, FINALIZER, volumeOf } from "./fixtures/attachments.ts";
import { recordKey, recordValue } from "./publication-record.ts";

const nodeId = { "csi.alpha.kubernetes.io/node-id": "n-1" };
const NOW = Date.UTC(2026, 0, 31, 15, 4, 5);

describe("the intent to attach", () => {
  test.each([
    ["nothing yet", {}, { resourceVersion: "7", finalizers: [FINALIZER], annotations: nodeId }],
    [
      "a finalizer of somebody else",
      { finalizers: ["other/x"] },
      { resourceVersion: "7", finalizers: ["other/x", FINALIZER], annotations: nodeId },
    ],
    ["the finalizer, but no node", { finalizers: [FINALIZER] }, { annotations: nodeId }],
    [
      "another node's id",
      { finalizers: [FINALIZER], annotations: { ...nodeId, "csi.alpha.kubernetes.io/node-id": "old" } },
      { annotations: nodeId },
    ],
    ["the node's id alone", { annotations: nodeId }, { resourceVersion: "7", finalizers: [FINALIZER] }],
  ])("is written in one patch on an attachment with %s", (_, has, metadata) => {
    expect(attachIntentPatch(attachmentOf(has), FINALIZER, "n-1")).toEqual({ type: "merge", patch: { metadata } });
  });

  it("is not written again", () => {
    const attachment = attachmentOf({ finalizers: [FINALIZER], annotations: nodeId });
    expect(attachIntentPatch(attachment, FINALIZER, "n-1")).toBeUndefined();
  });
});

describe("the status of an attachment", () => {
  it("says that it is attached, and how the node finds the volume", () => {
    expect(attachedPatch(attachmentOf(), { device: "/dev/x" }).patch).toEqual({
      status: { attached: true, attachError: null, attachmentMetadata: { device: "/dev/x" } },
    });
  });

  it("loses what the driver does not say any more", () => {
    const attachment = attachmentOf({}, { status: { attached: true, attachmentMetadata: { device: "a", lun: "1" } } });
    expect(attachedPatch(attachment, { device: "b" }).patch).toMatchObject({
      status: { attachmentMetadata: { device: "b", lun: null } },
    });
  });

  it("has no metadata when the driver says nothing", () => {
    expect(attachedPatch(attachmentOf(), {}).patch).toEqual({ status: { attached: true, attachError: null } });
  });

  it("is cleared when detached", () => {
    expect(detachedPatch().patch).toEqual({ status: { attached: false, detachError: null, attachmentMetadata: null } });
  });

  it("has the driver's attach error in the words and with the code that programs know", () => {
    const error = new CsiError("RESOURCE_EXHAUSTED", "node is full", { method: "/csi.v1.Controller/X" });
    expect(attachErrorPatch(error, NOW).patch).toEqual({
      status: {
        attachError: {
          message: "rpc error: code = ResourceExhausted desc = node is full",
          time: "2026-01-31T15:04:05Z",
          errorCode: 8,
        },
      },
    });
  });

  it("takes an older error's code away and says what to do when the error is not the driver's", () => {
    const error = new StowageError("NODE_NOT_REGISTERED", "no such node", { nextStep: "Start it." });
    expect(attachErrorPatch(error, NOW).patch).toMatchObject({
      status: { attachError: { message: "no such node. Start it.", errorCode: null } },
    });
  });

  it("has a detach error without a code", () => {
    expect(detachErrorPatch(new CsiError("INTERNAL", "stuck"), NOW).patch).toEqual({
      status: {
        detachError: { message: "rpc error: code = Internal desc = stuck", time: "2026-01-31T15:04:05Z" },
      },
    });
  });
});

describe("what is written on the volume before it is attached", () => {
  const record = { attachment: "va-1", attachmentUid: "va-uid", node: "node-1", nodeId: "n-1" };
  const key = recordKey("node-1");
  const value = recordValue(volumeOf(), record);
  const recorded = { [key]: value };
  const patchOf = (has: ObjectMeta) => volumeIntentPatch(volumeOf(has), FINALIZER, record)?.patch;

  it.each([
    {},
    { resourceVersion: "7", finalizers: ["kubernetes.io/pv-protection"] },
    { finalizers: ["a/b"], annotations: { other: "x" } },
  ])("is the finalizer and the record, in one patch that undoes nothing of others, on %j", (has) => {
    expect(patchOf(has)).toEqual({ metadata: { finalizers: [FINALIZER], annotations: recorded } });
  });

  it.each([{}, { other: "x" }, { [key]: "of an earlier one" }])(
    "is the record alone when the finalizer is there, whatever is beside it: %j",
    (annotations) => {
      expect(patchOf({ finalizers: [FINALIZER], annotations })).toEqual({ metadata: { annotations: recorded } });
    },
  );

  it("is not written again", () => {
    expect(patchOf({ finalizers: [FINALIZER], annotations: recorded })).toBeUndefined();
  });

  it("goes again node by node", () => {
    expect(withoutRecordPatch("node-1").patch).toEqual({ metadata: { annotations: { [key]: null } } });
  });
});

describe("finalizers", () => {
  test.each([
    [[FINALIZER], null],
    [
      ["a/b", FINALIZER, "c/d"],
      ["a/b", "c/d"],
    ],
  ])("of an attachment: of %j is left %j, if nobody changed them", (finalizers, left) => {
    expect(withoutFinalizerPatch(attachmentOf({ finalizers }), FINALIZER).patch).toEqual({
      metadata: { resourceVersion: "7", finalizers: left },
    });
  });

  test.each([
    [undefined, undefined],
    [["a/b"], undefined],
    [
      ["a/b", FINALIZER],
      [
        { op: "test", path: "/metadata/finalizers/1", value: FINALIZER },
        { op: "remove", path: "/metadata/finalizers/1" },
      ],
    ],
  ])("of a volume that has %j: is taken away by %j", (finalizers, patch) => {
    expect(removeVolumeFinalizerPatch(volumeOf({ finalizers }), FINALIZER)?.patch).toEqual(patch);
  });
});
