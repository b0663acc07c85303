import type { InformerFactory } from "@stowage/kube";
import type { StorageClass } from "@stowage/machinery";
import { expect, test } from "vitest";
import { defaultClassCount } from "./default-class-count.ts";

function countOf(defaults: readonly (string | undefined)[], hasSynced = true): number | undefined {
  const classes = defaults.map(
    (value, index): StorageClass => ({
      apiVersion: "storage.k8s.io/v1",
      kind: "StorageClass",
      metadata: {
        name: `class-${index}`,
        ...(value !== undefined && { annotations: { "storageclass.kubernetes.io/is-default-class": value } }),
      },
      provisioner: "any",
    }),
  );
  const informers = { informer: () => ({ hasSynced, objects: { list: () => classes } }) };
  return defaultClassCount({ informers: informers as unknown as InformerFactory }).value();
}

test.each([
  ["none", [undefined, "false"], 0],
  ["one", ["true", undefined, "false"], 1],
  ["as many as say so", ["true", "true", "True"], 2],
])("of the classes %s is the default", (_case, defaults, expected) => {
  expect(countOf(defaults)).toBe(expected);
});

test("before the classes are known there is no figure, rather than one that says none", () => {
  expect(countOf(["true"], false)).toBeUndefined();
});
