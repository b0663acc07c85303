import { snapshotAnnotations, type VolumeSnapshotClass } from "@stowage/machinery";
import { describe, expect, it } from "vitest";
import { defaultClass } from "./class-choice.ts";

const annotation = snapshotAnnotations.isDefaultClass;

function snapshotClass(name: string, driver: string, isDefault?: string): VolumeSnapshotClass {
  return {
    apiVersion: "snapshot.storage.k8s.io/v1",
    kind: "VolumeSnapshotClass",
    metadata: { name, ...(isDefault !== undefined && { annotations: { [annotation]: isDefault } }) },
    driver,
    deletionPolicy: "Delete",
  };
}

const ours = snapshotClass("ours", "d", "true");
const others = [snapshotClass("plain", "d"), snapshotClass("off", "d", "false"), snapshotClass("foreign", "e", "true")];

describe("the default class", () => {
  it("is the one of the driver that is annotated", () => {
    expect(defaultClass([...others, ours], "d", annotation)).toBe(ours);
  });

  it.each([
    ["there is none", others, /cannot find default snapshot class for the driver d/u, /annotate one of/u],
    [
      "there are two",
      [...others, snapshotClass("zwei", "d", "true"), ours],
      /2 default snapshot classes were found for the driver d: ours, zwei/u,
      /on one of them/u,
    ],
  ])("is not chosen when %s", (_what, classes, problem, nextStep) => {
    expect(defaultClass(classes, "d", annotation)).toEqual({
      problem: expect.stringMatching(problem) as string,
      nextStep: expect.stringMatching(nextStep) as string,
    });
  });
});
