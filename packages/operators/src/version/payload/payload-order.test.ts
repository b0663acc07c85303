import { describe, expect, it } from "vitest";
import type { PayloadManifest } from "./payload-manifest.ts";
import { runLevelsOf } from "./payload-order.ts";

const manifest = (file: string): PayloadManifest => ({
  file,
  object: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: file } },
});

const levels = (...files: string[]) =>
  runLevelsOf(files.map(manifest)).map((level) => level.map((group) => group.map(({ file }) => file)));

describe("the order of a payload", () => {
  it("is one level after the other, with a group for each component", () => {
    expect(
      levels("0000_10_a_00.yaml", "0000_10_a_01.yaml", "0000_10_b-c_00.yaml", "0000_20_a_00.yaml", "0000_20_d_00.yaml"),
    ).toEqual([
      [["0000_10_a_00.yaml", "0000_10_a_01.yaml"], ["0000_10_b-c_00.yaml"]],
      [["0000_20_a_00.yaml"], ["0000_20_d_00.yaml"]],
    ]);
  });

  it("has files of other names as one level where their name puts them", () => {
    expect(levels("0000_10_a_00.yaml", "01_first.yaml", "02_second.yaml")).toEqual([
      [["0000_10_a_00.yaml"]],
      [["01_first.yaml", "02_second.yaml"]],
    ]);
  });

  it("keeps the objects of one file together", () => {
    expect(levels("0000_10_a_00.yaml", "0000_10_a_00.yaml")).toEqual([[["0000_10_a_00.yaml", "0000_10_a_00.yaml"]]]);
  });
});
