import { readFileSync } from "node:fs";
import { load } from "js-yaml";
import { describe, expect, it } from "vitest";
import { readDriverAssets } from "../assets/index.ts";
import { driverIds, loadDriverProfile } from "./index.ts";

interface DriverDefinition {
  readonly StorageClass: { readonly FromExistingClassName: string };
  readonly SnapshotClass?: { readonly FromExistingClassName?: string; readonly FromName?: boolean };
  readonly DriverInfo: {
    readonly Name: string;
    readonly TopologyKeys?: readonly string[];
    readonly Capabilities: Readonly<Record<string, boolean>>;
  };
}

/** What the suite looks for; it ignores what it does not know, so that a slip would switch tests off. */
const capabilities = [
  "persistence",
  "block",
  "fsGroup",
  "volumeMountGroup",
  "exec",
  "snapshotDataSource",
  "pvcDataSource",
  "multipods",
  "RWX",
  "controllerExpansion",
  "nodeExpansion",
  "offlineExpansion",
  "onlineExpansion",
  "volumeLimits",
  "singleNodeVolume",
  "topology",
  "capacity",
  "FSResizeFromSourceNotSupported",
  "readWriteOncePod",
  "multiplePVsSameID",
  "capReadOnlyMany",
];

/** Of drivers that have them from their cloud. */
const topologyPrefixes: Readonly<Record<string, string>> = {
  "gcp-pd": "topology.gke.io/",
  "ibm-vpc-block": "failure-domain.beta.kubernetes.io/",
};

describe.each(driverIds)("the manifest for tests of %s", (id) => {
  const text = readFileSync(new URL(`./${id}/test/e2e/manifest.yaml`, import.meta.url), "utf8");
  const { DriverInfo, StorageClass, SnapshotClass } = load(text) as DriverDefinition;

  it("names the driver and its classes", async () => {
    const profile = await loadDriverProfile(id);
    expect(DriverInfo.Name).toBe(profile.driverName);
    const { storageClasses, snapshotClasses } = readDriverAssets(profile);
    const own = (assets: typeof storageClasses) => assets.map(({ text }) => /\n {2}name: (.+)/u.exec(text)?.[1]);
    const isBrought = storageClasses.length > 0;
    // Where only the administrator can make a class, whoever runs the suite makes one by this name.
    expect(own(storageClasses).includes(StorageClass.FromExistingClassName)).toBe(isBrought);
    expect(DriverInfo.Capabilities["snapshotDataSource"] ?? false).toBe(snapshotClasses.length > 0);
    const named = [SnapshotClass?.FromExistingClassName].filter((name) => name !== undefined);
    expect(own(snapshotClasses)).toEqual(expect.arrayContaining(named));
    const keys = DriverInfo.TopologyKeys ?? [];
    expect(DriverInfo.Capabilities["topology"] ?? false).toBe(keys.length > 0);
    const prefix = topologyPrefixes[id] ?? `topology.${profile.driverName}/`;
    expect(keys.filter((key) => !key.startsWith(prefix))).toEqual([]);
  });

  it("has no capability that the suite does not know", () => {
    expect(capabilities).toEqual(expect.arrayContaining(Object.keys(DriverInfo.Capabilities)));
  });

  it("comes with an image for CI", () => {
    const image = readFileSync(new URL(`./${id}/Dockerfile.test`, import.meta.url), "utf8");
    expect(image).toContain(`drivers/${id}/test/e2e/manifest.yaml`);
  });
});
