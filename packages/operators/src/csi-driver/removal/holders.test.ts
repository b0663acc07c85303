import type { KubernetesObject } from "@stowage/machinery";
import { describe, expect, it, test } from "vitest";
import { holderText } from "./holder-text.ts";
import { type Holder, holdersOf } from "./holders.ts";
import { type UsageKind, type UsageName, type UsageObjects, usageKinds } from "./usage-kinds.ts";

const driver = "smb.csi.k8s.io";
const nothing: UsageObjects = {
  volumes: [],
  attachments: [],
  claims: [],
  pods: [],
  classes: [],
  snapshotContents: [],
  snapshots: [],
  snapshotClasses: [],
};

function object(name: string, rest: object = {}, metadata: object = {}): never {
  return { apiVersion: "v1", kind: "Any", metadata: { name, ...metadata }, ...rest } as never;
}

const inNamespace = { namespace: "ns" };
const provisioner = (name: string) => ({
  ...inNamespace,
  annotations: { "volume.kubernetes.io/storage-provisioner": name },
});

describe("who uses a driver", () => {
  test.each<[string, UsageName, KubernetesObject, boolean]>([
    ["a volume of the driver", "volumes", object("a", { spec: { csi: { driver } } }), true],
    ["a volume of another one", "volumes", object("a", { spec: { csi: { driver: "other" } } }), false],
    ["a volume of no driver", "volumes", object("a", { spec: { nfs: {} } }), false],
    [
      "a volume that was migrated to it",
      "volumes",
      object("a", { spec: {} }, { annotations: { "pv.kubernetes.io/migrated-to": driver } }),
      true,
    ],
    ["an attachment", "attachments", object("a", { spec: { attacher: driver } }), true],
    ["an attachment of another one", "attachments", object("a", { spec: { attacher: "other" } }), false],
    ["a claim without a volume", "claims", object("a", { spec: {} }), true],
    ["a claim with a volume, which is a holder itself", "claims", object("a", { spec: { volumeName: "v" } }), false],
    ["a Pod with an inline volume", "pods", object("a", { spec: { volumes: [{}, { csi: { driver } }] } }), true],
    ["a Pod with a claim", "pods", object("a", { spec: { volumes: [{ persistentVolumeClaim: {} }] } }), false],
    ["a snapshot's content", "snapshotContents", object("a", { spec: { driver } }), true],
    ["a snapshot without a content", "snapshots", object("a", { spec: {} }), true],
    [
      "a snapshot with a content, which is a holder itself",
      "snapshots",
      object("a", { spec: {}, status: { boundVolumeSnapshotContentName: "c" } }),
      false,
    ],
    ["a class of the driver", "classes", object("a", { provisioner: driver }), true],
    ["a snapshot class of another one", "snapshotClasses", object("a", { driver: "other" }), false],
  ])("may be: %s", (_, name, each, expected) => {
    expect((usageKinds[name] as UsageKind).matters(each, driver)).toBe(expected);
  });

  it.each(Object.keys(usageKinds) as UsageName[])("is nothing of which the name alone is kept: %s", (name) => {
    expect((usageKinds[name] as UsageKind).matters(object("a"), driver)).toBe(false);
  });

  test.each<[string, Partial<UsageObjects>, string[]]>([
    ["nobody", {}, []],
    [
      "a claim that the driver is to make a volume for, whatever its class",
      { claims: [object("c", { spec: { storageClassName: "gone" } }, provisioner(driver))] },
      ["PersistentVolumeClaim without a volume yet ns/c"],
    ],
    [
      "a claim of the driver's class that nobody looks at yet",
      { claims: [object("c", { spec: { storageClassName: "k" } }, inNamespace)], classes: [object("k")] },
      ["PersistentVolumeClaim without a volume yet ns/c"],
    ],
    [
      "no claim that is another driver's, although a class of the same name is here",
      { claims: [object("c", { spec: { storageClassName: "k" } }, provisioner("other"))], classes: [object("k")] },
      [],
    ],
    ["no claim without a class", { claims: [object("c", { spec: {} }, inNamespace)], classes: [object("k")] }, []],
    [
      "a snapshot of the driver's class",
      {
        snapshots: [object("s", { spec: { volumeSnapshotClassName: "k", source: {} } }, inNamespace)],
        snapshotClasses: [object("k")],
      },
      ["VolumeSnapshot without a content yet ns/s"],
    ],
    [
      "no snapshot of another class",
      { snapshots: [object("s", { spec: { volumeSnapshotClassName: "o", source: {} } }, inNamespace)] },
      [],
    ],
    [
      "a volume, by its claim",
      { volumes: [object("v", { spec: { claimRef: { namespace: "ns", name: "c" } } })] },
      ["PersistentVolume v of claim ns/c"],
    ],
  ])("is %s", (_, objects, expected) => {
    const holders = holdersOf(driver, { ...nothing, ...objects });
    expect(holders.map(({ what, name }) => `${what} ${name}`)).toEqual(expected);
  });
});

describe("the words for holders", () => {
  const volumes = (count: number): Holder[] =>
    Array.from({ length: count }, (_, index) => ({ what: "PersistentVolume", name: `v${index}` })).toReversed();

  it("name the first few of each kind and count the rest, in an order that does not change", () => {
    expect(holderText([...volumes(5), { what: "Pod", name: "ns/p" }])).toBe(
      "5 PersistentVolume (v0, v1, v2 and 2 more), 1 Pod (ns/p)",
    );
    expect(holderText(volumes(3))).toBe("3 PersistentVolume (v0, v1, v2)");
  });

  it("stay short however many there are", () => {
    expect(holderText(volumes(100_000)).length).toBeLessThan(100);
  });
});
