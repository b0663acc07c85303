import { readFileSync } from "node:fs";
import { load } from "js-yaml";
import { describe, expect, it } from "vitest";
import { readDriverAssets } from "../assets/index.ts";
import { driverIds, loadDriverProfile } from "./index.ts";

interface DriverDefinition {
  readonly StorageClass: { readonly FromExistingClassName: string };
  readonly SnapshotClass: { readonly FromExistingClassName?: string };
  readonly DriverInfo: {
    readonly Name: string;
    readonly TopologyKeys: readonly string[];
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

describe.each(driverIds)("the manifest for tests of %s", (id) => {
  const text = readFileSync(new URL(`./${id}/test/e2e/manifest.yaml`, import.meta.url), "utf8");
  const { DriverInfo, StorageClass, SnapshotClass } = load(text) as DriverDefinition;

  it("names the driver and its classes", async () => {
    const profile = await loadDriverProfile(id);
    expect(DriverInfo.Name).toBe(profile.driverName);
    const { storageClasses, snapshotClasses } = readDriverAssets(profile);
    expect(storageClasses[0]?.text).toContain(`name: ${StorageClass.FromExistingClassName}\n`);
    const snapshotClass =
      SnapshotClass.FromExistingClassName ?? /name: (.+)/u.exec(snapshotClasses[0]?.text ?? "")?.[1];
    expect(snapshotClasses[0]?.text).toContain(`name: ${snapshotClass}\n`);
    expect(DriverInfo.TopologyKeys.every((key) => key.startsWith(`topology.${profile.driverName}/`))).toBe(true);
  });

  it("has no capability that the suite does not know", () => {
    expect(capabilities).toEqual(expect.arrayContaining(Object.keys(DriverInfo.Capabilities)));
  });

  it("comes with an image for CI", () => {
    const image = readFileSync(new URL(`./${id}/Dockerfile.test`, import.meta.url), "utf8");
    expect(image).toContain(`drivers/${id}/test/e2e/manifest.yaml`);
  });
});
