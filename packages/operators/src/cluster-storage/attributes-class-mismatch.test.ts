import type { InformerFactory } from "@stowage/kube";
import type { VolumeAttributesClass } from "@stowage/machinery";
import { expect, test } from "vitest";
import { attributesClassMismatch, mismatchesOf } from "./attributes-class-mismatch.ts";

function classesOf(drivers: Readonly<Record<string, readonly (Record<string, string> | undefined)[]>>) {
  return Object.entries(drivers).flatMap(([driverName, all]) =>
    all.map(
      (parameters, index): VolumeAttributesClass => ({
        apiVersion: "storage.k8s.io/v1",
        kind: "VolumeAttributesClass",
        metadata: { name: `${driverName}-${index}` },
        driverName,
        ...(parameters && { parameters }),
      }),
    ),
  );
}

const cases: readonly [string, readonly (Record<string, string> | undefined)[], number][] = [
  ["one class alone", [{ iops: "1" }], 0],
  [
    "the same names with other values",
    [
      { iops: "1", type: "a" },
      { type: "b", iops: "2" },
    ],
    0,
  ],
  ["a name that another class lacks", [{ iops: "1", type: "a" }, { iops: "2" }], 1],
  ["a class without any", [{ iops: "1" }, undefined], 1],
  ["names that only look alike when put together", [{ "a,b": "1" }, { a: "1", b: "1" }], 1],
];
test.each(cases)("of a driver's classes, %s", (_case, parameters, expected) => {
  expect(mismatchesOf(classesOf({ "ebs.csi.aws.com": parameters }))).toEqual(new Map([["ebs.csi.aws.com", expected]]));
});

test("classes of different drivers may differ", () => {
  const classes = classesOf({ "ebs.csi.aws.com": [{ iops: "1" }], "disk.csi.azure.com": [{ throughput: "1" }] });
  expect([...mismatchesOf(classes).values()]).toEqual([0, 0]);
});

function figure({ isServed, asked }: { readonly isServed: boolean; readonly asked?: string[] }) {
  const informer = {
    addHandler: () => ({ remove() {} }),
    waitForSync: async () => {},
    hasSynced: true,
    objects: { list: () => classesOf({ "ebs.csi.aws.com": [{ iops: "1" }, {}] }) },
  };
  const informers = {
    informer: ({ plural }: { readonly plural: string }) => (asked?.push(plural), informer),
  } as unknown as InformerFactory;
  return attributesClassMismatch({ informers, mapper: { has: async () => isServed } });
}

test("a cluster without the API has no figure, and is not asked for what it does not have", async () => {
  const asked: string[] = [];
  expect(await figure({ isServed: false, asked }).values()).toBeUndefined();
  expect(asked).toEqual([]);
});

test("nothing is watched before somebody asks", async () => {
  const asked: string[] = [];
  const family = figure({ isServed: true, asked });
  expect(asked).toEqual([]);
  expect(await family.values()).toEqual(new Map([["ebs.csi.aws.com", 1]]));
  await family.values();
  expect(asked).toEqual(["volumeattributesclasses"]);
});
