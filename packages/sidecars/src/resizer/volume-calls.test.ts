import { VolumeCapability_AccessMode_Mode as Mode } from "@stowage/csi";
import { describe, expect, it, test } from "vitest";
import { claimsOf } from "./claim-users.ts";
import { expandRequest } from "./expand-volume.ts";
import { volumeOf } from "./fixtures/claims.ts";
import { modifySecret } from "./modification.ts";

describe("the request to expand", () => {
  it("has the size, and the volume as it is used", () => {
    const { spec = {} } = volumeOf(
      {},
      { csi: { driver: "d", volumeHandle: "vol-1", fsType: "xfs" }, mountOptions: ["ro"] },
    );
    expect(expandRequest(spec, 2n ** 31n, { controller: new Set() })).toEqual({
      volumeId: "vol-1",
      capacityRange: { requiredBytes: 2n ** 31n },
      volumeCapability: {
        accessMode: { mode: Mode.SINGLE_NODE_WRITER },
        accessType: { case: "mount", value: { fsType: "xfs", mountFlags: ["ro"] } },
      },
    });
  });

  it("cannot be made for access modes that have no common one", () => {
    const { spec = {} } = volumeOf({}, { accessModes: ["ReadWriteOnce", "ReadOnlyMany"] });
    expect(() => expandRequest(spec, 1n, { controller: new Set() })).toThrow(
      expect.objectContaining({ code: "ACCESS_MODES_UNSUPPORTED" }),
    );
  });
});

describe("the secret to modify a volume", () => {
  const annotations = {
    "volume.kubernetes.io/controller-modify-secret-name": "modify",
    "volume.kubernetes.io/controller-modify-secret-namespace": "vault",
  };
  const { "volume.kubernetes.io/controller-modify-secret-namespace": _, ...half } = annotations;
  const csi = { driver: "d", volumeHandle: "v", controllerExpandSecretRef: { namespace: "vault", name: "expand" } };

  test.each([
    ["noted on the volume", annotations, { csi }, { namespace: "vault", name: "modify" }],
    ["that of expanding where none is noted", {}, { csi }, { namespace: "vault", name: "expand" }],
    ["that of expanding where half of one is noted", half, { csi }, { namespace: "vault", name: "expand" }],
    ["none where none is named", {}, {}, undefined],
  ])("is %s", (_name, noted, spec, secret) => {
    expect(modifySecret(volumeOf({ annotations: noted }, spec))).toEqual(secret);
  });
});

test("the claims of a Pod are those that it names and those that are made for it", () => {
  const volumes = [
    { name: "data", persistentVolumeClaim: { claimName: "shop-data" } },
    { name: "scratch", ephemeral: {} },
    { name: "config", configMap: { name: "c" } },
  ];
  const pod = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "web-0" },
    spec: { containers: [], volumes },
  } as const;
  expect(claimsOf({ ...pod, spec: { containers: [], volumes } })).toEqual(["shop-data", "web-0-scratch"]);
});
