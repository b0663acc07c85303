import type { PersistentVolumeClaimSpec, PersistentVolumeSpec } from "@stowage/machinery";
import { describe, expect, it } from "vitest";
import { claim, refTo, volume } from "../fixtures/storage-objects.ts";
import { findVolume, isReservedFor, mismatchOf } from "./volume-match.ts";

const sized = (name: string, storage: string, spec: PersistentVolumeSpec = {}) =>
  volume(name, { spec: { capacity: { storage }, ...spec } });
const wants = (spec: PersistentVolumeClaimSpec = {}) => claim("data", { spec });
const nameOf = (found: ReturnType<typeof findVolume>) => found?.metadata.name;

describe("the volume for a claim", () => {
  it("is the smallest that is large enough, of equal ones the first by name", () => {
    const offered = [sized("c", "5Gi"), sized("b", "2Gi"), sized("a", "2Gi"), sized("d", "1Gi")];
    expect(nameOf(findVolume(wants({ resources: { requests: { storage: "1500Mi" } } }), offered, false))).toBe("a");
  });

  it("offers no more access modes than needed, even when it is larger", () => {
    const many = sized("many", "1Gi", { accessModes: ["ReadWriteOnce", "ReadOnlyMany"] });
    expect(nameOf(findVolume(wants(), [many, sized("one", "9Gi")], false))).toBe("one");
    expect(nameOf(findVolume(wants({ accessModes: ["ReadOnlyMany"] }), [many, sized("one", "9Gi")], false))).toBe(
      "many",
    );
  });

  it("is the one reserved for it, be there a smaller one, and whatever its class and phase", () => {
    const data = wants();
    const kept = volume("kept", {
      spec: { capacity: { storage: "9Gi" }, storageClassName: "slow", claimRef: refTo(data) },
      status: { phase: "Pending" },
    });
    expect(nameOf(findVolume(data, [sized("small", "1Gi"), kept], false))).toBe("kept");
    expect(nameOf(findVolume(data, [sized("small", "1Gi"), kept], true))).toBe("kept");
  });

  it("is left to the scheduler when the claim binds late", () => {
    expect(findVolume(wants(), [volume("there")], true)).toBeUndefined();
  });

  it.each([
    ["of another class", volume("pv", { spec: { storageClassName: "slow" } })],
    ["of another mode", volume("pv", { spec: { volumeMode: "Block" } })],
    ["of another VolumeAttributesClass", volume("pv", { spec: { volumeAttributesClassName: "gold" } })],
    ["that is too small", sized("pv", "1Mi")],
    ["that lacks an access mode", volume("pv", { spec: { accessModes: ["ReadOnlyMany"] } })],
    ["of another claim", volume("pv", { spec: { claimRef: refTo(claim("other")) } })],
    ["that is being deleted", volume("pv", { metadata: { name: "pv", deletionTimestamp: "2026-01-01T00:00:00Z" } })],
    ["that is not marked available", volume("pv", { status: { phase: "Released" } })],
  ])("is not one %s", (_, offered) => {
    expect(findVolume(wants(), [offered], false)).toBeUndefined();
  });

  it("has the labels that the claim selects", () => {
    const selector = { matchLabels: { speed: "fast" } };
    const fast = volume("fast", { metadata: { name: "fast", labels: { speed: "fast" } } });
    expect(nameOf(findVolume(wants({ selector }), [volume("any"), fast], false))).toBe("fast");
  });
});

it("takes a reservation by name for any claim of that name, and one by uid for that claim alone", () => {
  const data = claim("data");
  expect(isReservedFor(volume("pv", { spec: { claimRef: { name: "data", namespace: "shop" } } }), data)).toBe(true);
  expect(isReservedFor(volume("pv", { spec: { claimRef: refTo(data) } }), data)).toBe(true);
  const earlier = { ...refTo(data), uid: "earlier" };
  expect(isReservedFor(volume("pv", { spec: { claimRef: earlier } }), data)).toBe(false);
  expect(isReservedFor(volume("pv", { spec: { claimRef: { name: "data", namespace: "other" } } }), data)).toBe(false);
  expect(isReservedFor(volume("pv"), data)).toBe(false);
});

it.each([
  ["", volume("pv")],
  [
    'the volume is marked for deletion "pv"',
    volume("pv", { metadata: { name: "pv", deletionTimestamp: "2026-01-01T00:00:00Z" } }),
  ],
  ["requested PV is too small", sized("pv", "1Mi")],
  ["storageClassName does not match", volume("pv", { spec: { storageClassName: "slow" } })],
  ["volumeAttributesClassName does not match", volume("pv", { spec: { volumeAttributesClassName: "gold" } })],
  ["incompatible volumeMode", volume("pv", { spec: { volumeMode: "Block" } })],
  ["incompatible accessMode", volume("pv", { spec: { accessModes: ["ReadOnlyMany"] } })],
])("says of a named volume: %s", (problem, named) => {
  expect(mismatchOf(named, claim("data")) ?? "").toBe(problem);
});
