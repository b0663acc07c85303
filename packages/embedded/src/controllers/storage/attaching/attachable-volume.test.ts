import { type CSIDriver, csiAttachmentName } from "@stowage/machinery";
import { describe, expect, it } from "vitest";
import { claim, onClaim, onOwnClaim, pod, refTo, volume } from "../fixtures/storage-objects.ts";
import { attachableVolume, csiVolumeNamed, isSharable } from "./attachable-volume.ts";

const data = claim("data", { spec: { volumeName: "pv" }, status: { phase: "Bound" } });
const pv = volume("pv", { spec: { claimRef: refTo(data) } });

interface Known {
  readonly claim?: ReturnType<typeof claim>;
  readonly volume?: ReturnType<typeof volume>;
  readonly attachRequired?: boolean;
}

const found = (podVolume: ReturnType<typeof onClaim>, known: Known = {}) => {
  const driver = {
    apiVersion: "storage.k8s.io/v1",
    kind: "CSIDriver",
    metadata: { name: "csi.example.org" },
    spec: { attachRequired: known.attachRequired },
  } satisfies CSIDriver;
  const of = known.claim ?? data;
  return attachableVolume(pod("web"), podVolume, {
    claims: { getByKey: (key) => (key === `shop/${of.metadata.name}` ? of : undefined) },
    volumes: { getByKey: (name) => (name === "pv" ? (known.volume ?? pv) : undefined) },
    drivers: { getByKey: (name) => (name === "csi.example.org" ? driver : undefined) },
  });
};

describe("a volume of a Pod", () => {
  it("needs to be attached by the name of its driver and handle", () => {
    expect(found(onClaim("data"))).toEqual({ name: "kubernetes.io/csi/csi.example.org^handle-of-pv", volume: pv });
  });

  it.each<[string, Known]>([
    ["its claim is not bound", { claim: claim("data", { spec: { volumeName: "pv" } }) }],
    ["its claim is not there", { claim: claim("other") }],
    ["the volume has another claim", { volume: volume("pv", { spec: { claimRef: refTo(claim("other")) } }) }],
    ["it is not CSI's", { volume: volume("pv", { spec: { claimRef: refTo(data), csi: undefined } }) }],
    ["its driver has no use for it", { attachRequired: false }],
  ])("needs nothing when %s", (_, known) => {
    expect(found(onClaim("data"), known)).toBeUndefined();
  });

  it("needs nothing of a claim that only has the name of one made for the Pod", () => {
    const metadata = { name: "web-tmp", namespace: "shop", uid: "uid-of-data" };
    const foreign = claim("web-tmp", { metadata, spec: { volumeName: "pv" }, status: { phase: "Bound" } });
    expect(found(onOwnClaim("tmp"), { claim: foreign })).toBeUndefined();
    const owner = { apiVersion: "v1", kind: "Pod", name: "web", uid: "uid-of-web", controller: true };
    const own = { ...foreign, metadata: { ...metadata, ownerReferences: [owner] } };
    expect(found(onOwnClaim("tmp"), { claim: own })).toMatchObject({ volume: pv });
  });
});

it("shares a volume between nodes unless it is for one alone", () => {
  expect(isSharable(volume("pv", { spec: { accessModes: ["ReadWriteOnce", "ReadOnlyMany"] } }))).toBe(true);
  expect(isSharable(volume("pv", { spec: { accessModes: ["ReadWriteOnce", "ReadWriteOncePod"] } }))).toBe(false);
  expect(isSharable(volume("pv", { spec: { accessModes: [] } }))).toBe(true);
  expect(isSharable(undefined)).toBe(true);
});

it("reads driver and handle from a unique name, whatever the handle holds", () => {
  expect(csiVolumeNamed("kubernetes.io/csi/d.example.org^a/b^c")).toEqual({
    driver: "d.example.org",
    volumeHandle: "a/b^c",
  });
  expect(csiVolumeNamed("kubernetes.io/iscsi/target")).toBeUndefined();
});

it("names a VolumeAttachment as kubelet looks for it", () => {
  // From `printf 'vol-1ebs.csi.aws.comnode-1' | sha256sum`.
  expect(csiAttachmentName({ driver: "ebs.csi.aws.com", volumeHandle: "vol-1" }, "node-1")).toBe(
    "csi-58932ddfc9a6504f794af09a26429db947138ba3d683dee3d975aa932cb39f48",
  );
});
