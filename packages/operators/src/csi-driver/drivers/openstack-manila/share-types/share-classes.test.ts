import { describe, expect, it } from "vitest";
import { classNames, desiredShareClasses } from "./share-classes.ts";

describe("the class of a share type", () => {
  it.each([
    ["default", "csi-manila-default"],
    ["Fast_NVMe", "csi-manila-fast-nvme"],
    ["CephFS (EC 4+2)", "csi-manila-cephfs--ec-4-2"],
    ["v1.2", "csi-manila-v1.2"],
  ])("%s is called %s", (type, name) => {
    expect(classNames([type])).toEqual(new Map([[type, name]]));
  });

  it("has a name of its own, whatever other types are called", () => {
    const names = classNames(["Gold", "gold", "GOLD", "金"]);
    expect(new Set(names.values()).size).toBe(4);
    expect(names.get("gold")).toBe("csi-manila-gold");
    for (const name of names.values()) expect(name).toMatch(/^csi-manila-[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/u);
  });

  it("is called the same when another type comes, unless that has the better right to it", () => {
    expect(classNames(["Gold", "gold"]).get("Gold")).toBe(classNames(["Gold", "gold", "silver"]).get("Gold"));
  });

  it("names the type as the cloud does, and the Secret that says where credentials are", () => {
    const [found] = desiredShareClasses([{ name: "Fast_NVMe" }], { driverName: "d", namespace: "n" });
    expect(found).toMatchObject({ provisioner: "d", volumeBindingMode: "Immediate", allowVolumeExpansion: true });
    expect(found?.parameters).toMatchObject({
      type: "Fast_NVMe",
      "csi.storage.k8s.io/provisioner-secret-name": "csi-manila-secrets",
      "csi.storage.k8s.io/controller-expand-secret-namespace": "n",
    });
    expect(found?.metadata.annotations).toBeUndefined();
  });
});
