import { bindingAnnotations, resizingAnnotations } from "@stowage/machinery";
import { describe, expect, it } from "vitest";
import { claim, refTo, volume } from "../fixtures/storage-objects.ts";
import { boundClaim, boundVolume, claimStatusIn, unboundVolume } from "./bound-objects.ts";

const data = claim("data");
const chosen = { [bindingAnnotations.boundByController]: "yes" };
const completed = { [bindingAnnotations.bindCompleted]: "yes" };

describe("a volume that is bound", () => {
  it("names the claim, and says that it was chosen", () => {
    const bound = boundVolume(volume("pv"), data);
    expect(bound?.metadata.annotations).toEqual(chosen);
    expect(bound?.spec?.claimRef).toEqual({
      apiVersion: "v1",
      kind: "PersistentVolumeClaim",
      namespace: "shop",
      name: "data",
      uid: "uid-of-data",
      resourceVersion: "7",
    });
  });

  it("says nothing of being chosen when a user reserved it", () => {
    const bound = boundVolume(volume("pv", { spec: { claimRef: { name: "data", namespace: "shop" } } }), data);
    expect(bound?.metadata.annotations).toBeUndefined();
    expect(bound?.spec?.claimRef?.uid).toBe("uid-of-data");
  });

  it("is not written when it is so already", () => {
    expect(boundVolume(volume("pv", { spec: { claimRef: refTo(data) } }), data)).toBeUndefined();
  });
});

describe("a volume that is let go", () => {
  it("names no claim when it was chosen for it", () => {
    const metadata = { name: "pv", annotations: { ...chosen, note: "kept" } };
    const free = unboundVolume(volume("pv", { metadata, spec: { claimRef: refTo(data) } }));
    expect(free.spec).not.toHaveProperty("claimRef");
    expect(free.metadata.annotations).toEqual({ note: "kept" });
    const bare = unboundVolume(volume("pv", { metadata: { name: "pv", annotations: chosen } }));
    expect(bare.metadata).not.toHaveProperty("annotations");
  });

  it("stays reserved by name when a user reserved it", () => {
    const reserved = unboundVolume(volume("pv", { spec: { claimRef: refTo(data) } }));
    expect(reserved.spec?.claimRef).toEqual({ name: "data", namespace: "shop" });
  });
});

describe("a claim that is bound", () => {
  it("names the volume, and says that it was chosen and is complete", () => {
    const bound = boundClaim(data, volume("pv"));
    expect(bound?.spec?.volumeName).toBe("pv");
    expect(bound?.metadata.annotations).toEqual({ ...chosen, ...completed });
  });

  it("says nothing of being chosen when its user named the volume", () => {
    const named = claim("data", { spec: { volumeName: "pv" } });
    expect(boundClaim(named, volume("pv"))?.metadata.annotations).toEqual(completed);
  });

  it("is not written when it is so already", () => {
    const metadata = { name: "data", namespace: "shop", annotations: completed };
    expect(boundClaim(claim("data", { metadata, spec: { volumeName: "pv" } }), volume("pv"))).toBeUndefined();
  });
});

describe("the status of a claim", () => {
  const pv = volume("pv", { spec: { volumeAttributesClassName: "gold", capacity: { storage: "2Gi" } } });
  const has = {
    phase: "Bound" as const,
    accessModes: ["ReadWriteOnce" as const],
    capacity: { storage: "2Gi" },
    currentVolumeAttributesClassName: "gold",
  };

  it("has what its volume has once it is bound", () => {
    expect(claimStatusIn("Bound", data, pv)).toEqual(has);
  });

  it("is left alone when it is so already, also when it is smaller than its volume", () => {
    const behind = claim("data", { status: { ...has, capacity: { storage: "1Gi" } } });
    expect(claimStatusIn("Bound", behind, pv)).toBeUndefined();
    expect(claimStatusIn("Pending", data)).toBeUndefined();
  });

  it("follows a change of access modes without a change of size or class", () => {
    const status = { ...has, capacity: { storage: "1Gi" }, currentVolumeAttributesClassName: "silver" };
    const wider = volume("pv", { spec: { ...pv.spec, accessModes: ["ReadWriteMany"] } });
    expect(claimStatusIn("Bound", claim("data", { status }), wider)).toEqual({
      ...status,
      accessModes: ["ReadWriteMany"],
    });
  });

  it.each([
    ["1Gi", "1Gi"],
    ["much", "2Gi"],
  ])("has the size that the file system had before the volume was expanded: %s is %s", (before, storage) => {
    const annotations = { [resizingAnnotations.preResizeCapacity]: before };
    const grown = volume("pv", { ...pv, metadata: { name: "pv", annotations } });
    expect(claimStatusIn("Bound", data, grown)?.capacity).toEqual({ storage });
  });

  it("has nothing of a volume when it is lost, and keeps its conditions", () => {
    const conditions = [{ type: "Resizing", status: "True" }];
    const lost = claimStatusIn("Lost", claim("data", { status: { ...has, conditions } }));
    expect(lost).toEqual({ phase: "Lost", conditions });
  });
});
