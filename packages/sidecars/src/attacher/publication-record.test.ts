import { expect, it, test } from "vitest";
import { attachmentOf, volumeOf } from "./fixtures/attachments.ts";
import { publicationRecords, recordKey, recordOf, recordValue } from "./publication-record.ts";

const record = recordOf(attachmentOf({ uid: "va-uid" }), "id-1");
const volume = volumeOf({ uid: "pv-uid" });

it("is read as it was written, one for each node", () => {
  const other = { ...record, attachment: "va-2", attachmentUid: "other-uid", node: "node-2" };
  const annotations = {
    "pv.kubernetes.io/provisioned-by": "csi.example.com",
    [recordKey("node-1")]: recordValue(volume, record),
    [recordKey("node-2")]: recordValue(volume, other),
  };
  expect(publicationRecords(volumeOf({ uid: "pv-uid", annotations }))).toMatchObject([record, other]);
});

it("says nothing of a volume that was restored from a backup", () => {
  const annotations = { [recordKey("node-1")]: recordValue(volume, record) };
  expect(publicationRecords(volumeOf({ uid: "restored-uid", annotations }))).toEqual([]);
});

it("has a key that Kubernetes accepts, however long the node's name is", () => {
  const [, name = ""] = recordKey("n".repeat(253)).split("/");
  expect(name.length).toBeLessThanOrEqual(63);
  expect(recordKey("a")).not.toBe(recordKey("b"));
});

test.each(["", "{", "null", "[]", '"text"', '{"attachment":"va-1"}', '{"attachment":1}'])(
  "is not what somebody else has written there: %s",
  (value) => {
    expect(publicationRecords(volumeOf({ annotations: { [recordKey("node-1")]: value } }))).toEqual([]);
  },
);
