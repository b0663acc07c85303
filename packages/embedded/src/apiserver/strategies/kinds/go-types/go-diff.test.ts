import { describe, expect, it } from "vitest";
import { GoTypes, goDiff, goForm, volumeTypes, wireForm } from "./index.ts";

const types = new GoTypes(volumeTypes);

describe("the original's own types", () => {
  it("are shown with all of their fields, by Go's names and in the order of the declaration", () => {
    const shown = goForm(types, "HostPathVolumeSource", { path: "/a" });
    expect([...shown]).toEqual([
      ["Path", "/a"],
      ["Type", null],
    ]);
  });

  it("differ line by line, with three lines around", () => {
    const [was, is] = ["a", "b"].map((volumeHandle) =>
      goForm(types, "CSIPersistentVolumeSource", { driver: "d", volumeHandle }),
    );
    expect(goDiff(was, is)).toBe(
      '@@ -1,6 +1,6 @@\n {\n  "Driver": "d",\n- "VolumeHandle": "a",\n+ "VolumeHandle": "b",\n' +
        '  "ReadOnly": false,\n  "FSType": "",\n  "VolumeAttributes": null,\n',
    );
    expect(goDiff(was, was)).toBe("");
  });

  it("leave out what is empty and no pointer, and write amounts in one way", () => {
    expect(
      wireForm(types, "PersistentVolumeSpec", {
        capacity: { storage: "1024Mi" },
        storageClassName: "",
        volumeMode: "",
      }),
    ).toEqual({ capacity: { storage: "1Gi" }, volumeMode: "" });
  });

  it("have null where a source of data names no group", () => {
    expect(wireForm(types, "TypedLocalObjectReference", { kind: "K", name: "n" })).toMatchObject({ apiGroup: null });
  });
});
