import { describe, expect, test } from "vitest";
import { isAttachmentNews } from "./attachment-news.ts";
import { attachmentOf, FINALIZER } from "./fixtures/attachments.ts";

const before = attachmentOf({ finalizers: ["other/x"] }, { status: { attached: false } });
const error = { message: "no", time: "2026-01-31T15:04:05Z" };

describe("an update of a VolumeAttachment", () => {
  test.each([
    ["an attach error", attachmentOf({ finalizers: ["other/x"] }, { status: { attached: false, attachError: error } })],
    ["a detach error", attachmentOf({ finalizers: ["other/x"] }, { status: { attached: false, detachError: error } })],
    ["another version alone", attachmentOf({ finalizers: ["other/x"], resourceVersion: "8" })],
    [
      "the intent to attach",
      attachmentOf({
        finalizers: ["other/x", FINALIZER],
        annotations: { "csi.alpha.kubernetes.io/node-id": "n-1" },
      }),
    ],
  ])("that brings %s is the attacher's own and no news", (_, after) => {
    expect(isAttachmentNews(FINALIZER, after, before)).toBe(false);
    expect(isAttachmentNews(FINALIZER, before, after)).toBe(false);
  });

  test.each([
    ["its deletion", attachmentOf({ finalizers: ["other/x"], deletionTimestamp: "2026-01-31T15:04:05Z" })],
    ["attached", attachmentOf({ finalizers: ["other/x"] }, { status: { attached: true } })],
    ["a label", attachmentOf({ finalizers: ["other/x"], labels: { a: "b" } })],
    ["the finalizer of somebody else gone", attachmentOf()],
    [
      "its deletion together with an error",
      attachmentOf(
        { finalizers: ["other/x"], deletionTimestamp: "2026-01-31T15:04:05Z" },
        { status: { attached: false, attachError: error } },
      ),
    ],
  ])("that brings %s is news", (_, after) => {
    expect(isAttachmentNews(FINALIZER, after, before)).toBe(true);
  });
});
