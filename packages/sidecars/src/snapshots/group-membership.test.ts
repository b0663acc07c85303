import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import {
  groupOwnerReference,
  memberContentName,
  memberNames,
  owningGroupKeys,
  owningGroupName,
} from "./group-membership.ts";
import { jsonInteger } from "./json-integer.ts";

describe("a member of a group", () => {
  it("is named by the hash of the group's uid and the volume", () => {
    const hash = createHash("sha256").update("uidvolume").digest("hex");
    expect(memberNames("uid", "volume")).toEqual({ snapshot: `snapshot-${hash}`, content: `snapcontent-${hash}` });
    expect(memberContentName(`snapshot-${hash}`)).toBe(`snapcontent-${hash}`);
  });

  it("is known by its owner", () => {
    const owner = groupOwnerReference({ metadata: { name: "g", uid: "u" } });
    const metadata = { name: "s", namespace: "ns", ownerReferences: [{ ...owner, kind: "Other" }, owner] };
    expect(owningGroupName({ metadata })).toBe("g");
    const snapshot = {
      apiVersion: "snapshot.storage.k8s.io/v1",
      kind: "VolumeSnapshot",
      spec: { source: {} },
    } as const;
    expect(owningGroupKeys({ ...snapshot, metadata })).toEqual(["ns/g"]);
    expect(owningGroupKeys({ ...snapshot, metadata: {} })).toEqual([]);
  });
});

describe("a whole number in JSON", () => {
  it.each([0n, 1n, -5n, 2n ** 53n + 1n, 2n ** 63n - 1n])("is written as it is: %s", (value) => {
    expect(JSON.stringify([jsonInteger(value)])).toBe(`[${value}]`);
  });
});
