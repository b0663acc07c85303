import type { PersistentVolume, PersistentVolumeClaim } from "@stowage/machinery";
import { describe, expect, it } from "vitest";
import { sourceVolume } from "./source-volume.ts";

const claim: PersistentVolumeClaim = {
  apiVersion: "v1",
  kind: "PersistentVolumeClaim",
  metadata: { namespace: "n", name: "c", uid: "u" },
  spec: { volumeName: "v" },
  status: { phase: "Bound" },
};

const volume: PersistentVolume = {
  apiVersion: "v1",
  kind: "PersistentVolume",
  metadata: { name: "v" },
  spec: { csi: { driver: "d", volumeHandle: "h" }, claimRef: { namespace: "n", name: "c", uid: "u" } },
};

const withSpec = (spec: PersistentVolume["spec"]) => ({ ...volume, spec: { ...volume.spec, ...spec } });

describe("the volume of a claim", () => {
  it.each([
    ["", volume],
    [" also when the volume does not know its uid", withSpec({ claimRef: { namespace: "n", name: "c" } })],
  ])("is what snapshots are taken of%s", (_when, found) => {
    expect(sourceVolume(claim, () => found)).toMatchObject({ driver: "d", handle: "h" });
  });

  it.each<[string, PersistentVolumeClaim, PersistentVolume | undefined, RegExp]>([
    ["unbound", { ...claim, status: { phase: "Pending" } }, volume, /not yet bound to a PV/u],
    ["gone", claim, undefined, /the PV v of the PVC c does not exist/u],
    ["another claim's", claim, withSpec({ claimRef: { namespace: "n", name: "x" } }), /is not bound to the claim/u],
    [
      "an older claim's",
      claim,
      withSpec({ claimRef: { namespace: "n", name: "c", uid: "x" } }),
      /is not bound to the claim/u,
    ],
    ["nobody's", claim, withSpec({ claimRef: undefined }), /is not bound to the claim/u],
    ["not a CSI driver's", claim, withSpec({ csi: undefined }), /is not a CSI volume/u],
  ])("is refused when it is %s", (_what, asked, found, problem) => {
    expect(sourceVolume(asked, () => found)).toMatchObject({ problem: expect.stringMatching(problem) as string });
  });
});
