import type { ClusterCSIDriver } from "@stowage/machinery";
import { describe, expect, it } from "vitest";
import { driverAssetsOf } from "./driver-assets.ts";
import { sidecarsModeOf } from "./sidecars-mode.ts";
import { staticResourcesOf } from "./static-objects.ts";

const files = (...names: string[]) => names.map((name) => ({ name, text: "" }));

describe("assets of a driver", () => {
  it("are told apart by their names", () => {
    const sorted = driverAssetsOf(
      files(
        "controller-combined.yaml",
        "controller-pdb.yaml",
        "controller-separate.yaml",
        "csidriver.yaml",
        "main-attacher-binding.yaml",
        "node.yaml",
        "node-metrics-service.yaml",
        "storageclass.yaml",
        "storageclass-fast.yaml",
        "trusted-ca-bundle.yaml",
        "volumesnapshotclass.yaml",
      ),
      "example",
    );
    expect(sorted.controller?.Separate?.name).toBe("controller-separate.yaml");
    expect(sorted.controller?.Combined?.name).toBe("controller-combined.yaml");
    expect(sorted.node.Combined).toBe(sorted.node.Separate);
    expect(sorted.storageClasses.map(({ name }) => name)).toEqual(["storageclass.yaml", "storageclass-fast.yaml"]);
    expect(sorted.snapshotClasses).toHaveLength(1);
    expect(sorted.controlPlane.map(({ asset }) => asset.name)).toEqual([
      "controller-pdb.yaml",
      "trusted-ca-bundle.yaml",
    ]);
    expect(sorted.guest.map(({ asset }) => asset.name)).toEqual([
      "main-attacher-binding.yaml",
      "node-metrics-service.yaml",
    ]);
  });

  it("of which some are asked for by controllers of their own, and some are to go", () => {
    const names = ["credentials.yaml", "credentials-node.yaml", "leftover-binding.yaml", "node.yaml", "csidriver.yaml"];
    const sorted = driverAssetsOf(files(...names), "example");
    expect(sorted.credentials.map(({ name }) => name)).toEqual(["credentials.yaml", "credentials-node.yaml"]);
    expect(sorted.guest).toMatchObject([{ asset: { name: "leftover-binding.yaml" }, isLeftover: true }]);
    expect(sorted.controlPlane).toEqual([]);
  });

  it("need no controller", () => {
    expect(driverAssetsOf(files("csidriver.yaml", "node.yaml"), "example").controller).toBeUndefined();
  });

  it.each([
    ["node.yaml", ["csidriver.yaml"]],
    ["csidriver.yaml", ["node.yaml"]],
  ])("are refused without %s", (missing, names) => {
    const refused = expect.objectContaining({ code: "ASSET_INVALID", message: `the assets of x have no ${missing}` });
    expect(() => driverAssetsOf(files(...names), "x")).toThrow(refused);
  });
});

function clusterCSIDriver(sidecars?: unknown): ClusterCSIDriver {
  const unsupportedConfigOverrides = sidecars === undefined ? null : { sidecars };
  return {
    apiVersion: "operator.openshift.io/v1",
    kind: "ClusterCSIDriver",
    metadata: { name: "csi.example.com" },
    spec: { unsupportedConfigOverrides },
  };
}

describe("the mode of the sidecars", () => {
  const profile = { namespace: "drivers", sidecars: ["Separate", "Combined"] } as const;

  it.each([
    ["the driver's own choice where nobody says", undefined, "Separate"],
    ["the driver's own choice where it is empty", "", "Separate"],
    ["what the ClusterCSIDriver asks for", "Combined", "Combined"],
  ])("is %s", (_, asked, expected) => {
    expect(sidecarsModeOf(profile, clusterCSIDriver(asked))).toBe(expected);
  });

  it.each(["combined", 1, {}])("that is not there (%j) is refused, with the field and what there is", (asked) => {
    expect(() => sidecarsModeOf(profile, clusterCSIDriver(asked))).toThrow(
      expect.objectContaining({
        code: "DRIVER_CONFIG_INVALID",
        message: expect.stringMatching(/csi\.example\.com: spec\.unsupportedConfigOverrides\.sidecars .*Separate and/u),
      }),
    );
  });

  it("decides which static objects are to be; of two variants of one object none is deleted", async () => {
    const asset = (name: string, object: string, mode?: "Separate" | "Combined") => ({
      asset: {
        name,
        text: `{apiVersion: v1, kind: ConfigMap, metadata: {name: ${object}, namespace: "\${NAMESPACE}"}}`,
      },
      mode,
    });
    const assets = [
      asset("always.yaml", "always"),
      asset("both-separate.yaml", "both", "Separate"),
      asset("both-combined.yaml", "both", "Combined"),
      asset("extra-combined.yaml", "extra", "Combined"),
      { ...asset("leftover-old.yaml", "old"), isLeftover: true },
    ];
    const told = async (asked?: string) =>
      (await staticResourcesOf(profile, assets, clusterCSIDriver(asked))).map(
        (each) =>
          `${each.shouldCreate?.() === false ? "delete" : "keep"} ${each.asset} in ${each.object.metadata.namespace}`,
      );
    expect(await told()).toEqual([
      "keep always.yaml in drivers",
      "keep both-separate.yaml in drivers",
      "delete extra-combined.yaml in drivers",
      "delete leftover-old.yaml in drivers",
    ]);
    expect(await told("Combined")).toEqual([
      "keep always.yaml in drivers",
      "keep both-combined.yaml in drivers",
      "keep extra-combined.yaml in drivers",
      "delete leftover-old.yaml in drivers",
    ]);
  });
});
