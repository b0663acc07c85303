import type { VolumeMount } from "@stowage/machinery";
import { describe, expect, it } from "vitest";
import { specName } from "./sub-paths.ts";
import { wantedSubPath } from "./wanted-sub-path.ts";

const env = { POD: "web-0", EMPTY: "" };
const wanted = (more: Partial<VolumeMount>) => wantedSubPath({ name: "data", mountPath: "/data", ...more }, env);

describe("the part of a volume that is mounted", () => {
  it.each([
    [{}, ""],
    [{ subPath: "a/b" }, "a/b"],
    [{ subPath: "a..b/..c" }, "a..b/..c"],
    [{ subPathExpr: "of-$(POD)/$$(POD)" }, "of-web-0/$(POD)"],
  ])("of %j is %j", (mount, path) => {
    expect(wanted(mount)).toBe(path);
  });

  it.each([
    [{ subPath: "/etc" }, "error SubPath `/etc` must not be an absolute path"],
    [{ subPath: "a/../../b" }, "unable to provision SubPath `a/../../b`: must not contain '..'"],
    [{ subPathExpr: "$(POD)/.." }, "unable to provision SubPath `web-0/..`: must not contain '..'"],
    [{ subPathExpr: "$(NONE)/$(EMPTY)" }, "missing value for EMPTY, NONE"],
  ])("cannot be %j", (mount, message) => {
    expect(() => wanted(mount)).toThrow(expect.objectContaining({ code: "CONTAINER_CONFIG", message }));
  });
});

describe("the name of a volume's place", () => {
  it("is that of its folder among the Pod's volumes, which a PersistentVolume gives", () => {
    expect(specName("/pods/u", "/pods/u/volumes/kubernetes.io~csi/pvc-1/mount")).toBe("pvc-1");
    expect(specName("/pods/u", "/pods/u/volumes/kubernetes.io~empty-dir/data")).toBe("data");
    expect(specName("/pods/u", "/srv/data")).toBeUndefined();
  });
});
