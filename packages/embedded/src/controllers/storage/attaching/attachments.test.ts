import { describe, expect, it } from "vitest";
import { pod, volume } from "../fixtures/storage-objects.ts";
import { type ActualAttachment, ActualAttachments } from "./actual-attachments.ts";
import { DesiredAttachments } from "./desired-attachments.ts";

const on = (name: string, nodeName: string) => pod(name, { spec: { nodeName } });
const pv = { name: "pv", volume: volume("pv") };

describe("what is desired", () => {
  it("stays as long as one Pod on the node needs it", () => {
    const desired = new DesiredAttachments();
    desired.add(on("a", "node-1"), pv);
    desired.add(on("b", "node-1"), pv);
    expect(desired.removePod("uid-of-a")).toEqual(["pv"]);
    expect(desired.has("pv", "node-1")).toBe(true);
    expect(desired.removePod("uid-of-b")).toEqual(["pv"]);
    expect(desired.has("pv", "node-1")).toBe(false);
    expect(desired.removePod("uid-of-b")).toEqual([]);
  });

  it("goes with a driver that has no use for attachments", () => {
    const desired = new DesiredAttachments();
    desired.add(on("a", "node-1"), pv);
    expect(desired.removeDriver("other.example.org")).toEqual([]);
    expect(desired.removeDriver("csi.example.org")).toEqual(["pv"]);
    expect(desired.of("pv")).toEqual([]);
  });

  it("keeps a node that is gone while Pods on it need a volume", () => {
    const desired = new DesiredAttachments();
    expect([desired.manage("node-1"), desired.manage("node-1")]).toEqual([true, false]);
    desired.add(on("a", "node-1"), pv);
    desired.forget("node-1");
    expect(desired.isManaged("node-1")).toBe(true);
    desired.removePod("uid-of-a");
    desired.forget("node-1");
    expect(desired.isManaged("node-1")).toBe(false);
  });
});

describe("what is attached", () => {
  const only = (actual: ActualAttachments) => actual.of("pv")[0] as ActualAttachment;

  it("is reported once it is certain, and told of as a change once", () => {
    const actual = new ActualAttachments();
    actual.uncertain("pv", "node-1");
    expect(actual.reportedOn("node-1")).toEqual([]);
    expect(actual.takeChanged("node-1")).toBe(false);
    actual.attached("pv", "node-1");
    expect(actual.reportedOn("node-1")).toEqual(["pv"]);
    expect([actual.takeChanged("node-1"), actual.takeChanged("node-1")]).toEqual([true, false]);
  });

  it("is taken for mounted until the node says otherwise", () => {
    const actual = new ActualAttachments();
    actual.attached("pv", "node-1");
    expect(actual.isInUse(only(actual))).toBe(true);
    actual.setInUse("node-1", []);
    expect(actual.isInUse(only(actual))).toBe(false);
    actual.uncertain("pv", "node-1");
    expect(actual.isInUse(only(actual))).toBe(false);
  });

  it("is forgotten when it is detached, and no longer reported", () => {
    const actual = new ActualAttachments();
    actual.attached("pv", "node-1");
    actual.takeChanged("node-1");
    actual.detached("pv", "node-1");
    expect(actual.of("pv")).toEqual([]);
    expect(actual.namesOn("node-1")).toEqual([]);
    expect(actual.takeChanged("node-1")).toBe(true);
  });
});
