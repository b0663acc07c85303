import { provisioningAnnotations } from "@stowage/machinery";
import { expect, it } from "vitest";
import { classOfClaim, classOfVolume, defaultClass, hasClass, isDelayed } from "./classes.ts";
import { claim, storageClass, volume } from "./fixtures/storage-objects.ts";

const annotations = { [provisioningAnnotations.betaStorageClass]: "old" };

it("takes the class of the annotation before that of the field", () => {
  expect(classOfClaim(claim("data"))).toBe("fast");
  expect(classOfClaim(claim("data", { metadata: { name: "data", annotations } }))).toBe("old");
  expect(classOfVolume(volume("pv", { metadata: { name: "pv", annotations } }))).toBe("old");
});

it("tells a claim that wants no class from one that says nothing", () => {
  expect(hasClass(claim("data", { spec: { storageClassName: "" } }))).toBe(true);
  expect(hasClass(claim("data", { spec: { storageClassName: undefined } }))).toBe(false);
});

it("chooses the newest of the default classes, and of equally old ones the first by name", () => {
  const usual = (name: string, creationTimestamp: string, annotation = "storageclass.kubernetes.io/is-default-class") =>
    storageClass(name, { metadata: { name, creationTimestamp, annotations: { [annotation]: "true" } } });
  const [old, z, a] = [
    usual("old", "2025-01-01T00:00:00Z"),
    usual("z", "2026-01-01T00:00:00Z"),
    usual("a", "2026-01-01T00:00:00Z", "storageclass.beta.kubernetes.io/is-default-class"),
  ];
  expect(defaultClass([old, z, a, storageClass("plain")])?.metadata.name).toBe("a");
  expect(defaultClass([storageClass("plain")])).toBeUndefined();
});

it("binds late only where the class says so", () => {
  expect(isDelayed(storageClass("fast", { volumeBindingMode: "WaitForFirstConsumer" }))).toBe(true);
  expect(isDelayed(storageClass("fast"))).toBe(false);
  expect(isDelayed(undefined)).toBe(false);
});
