import type { PlatformType } from "@stowage/machinery";
import { describe, expect, it } from "vitest";
import { defaultClassConditions } from "./default-storage-class-controller.ts";

function said(platform: PlatformType, isLocal = false): string[] {
  return defaultClassConditions({ platform, isLocal }).map(
    ({ type, status, reason = "" }) => `${type.replace("DefaultStorageClassController", "")}=${status}/${reason}`,
  );
}

describe("the default StorageClass", () => {
  it.each<PlatformType>(["AWS", "Azure", "GCP", "IBMCloud", "OpenStack", "VSphere"])(
    "comes with the driver on %s",
    (platform) => {
      expect(said(platform)).toEqual(["Available=True/", "Progressing=False/"]);
    },
  );

  it("comes with the local driver where that is asked for", () => {
    expect(said("External", true)).toEqual(["Available=True/", "Progressing=False/"]);
  });

  it.each<PlatformType>(["None", "BareMetal", "External", "KubeVirt", "Nutanix", "PowerVS", "Libvirt", ""])(
    "is nobody's on %s, and storage is available all the same",
    (platform) => {
      expect(said(platform)).toEqual([
        "Available=True/",
        "Progressing=False/",
        "Disabled=True/UnsupportedPlatform",
        "Upgradeable=True/",
      ]);
    },
  );
});
