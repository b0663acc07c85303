import { describe, expect, it } from "vitest";
import { resolveOptions } from "./options.ts";

const right = { stateDir: "/var/lib/stowage", nodeId: "node-1" };

describe("the driver's options", () => {
  it("need a directory and a node, and nothing else", () => {
    expect(resolveOptions(right)).toMatchObject({
      driverName: "local.csi.stowage.dev",
      kubeletDirs: ["/var/lib/kubelet"],
    });
  });

  it.each([
    ["stateDir", { stateDir: "relative" }],
    ["nodeId", { nodeId: "" }],
    ["nodeId", { nodeId: "n".repeat(64) }],
    ["nodeId", { nodeId: "not/a/label" }],
    ["driverName", { driverName: "local.csi.stowage.9" }],
    ["kubeletDirs", { kubeletDirs: [] }],
    ["kubeletDirs", { kubeletDirs: ["tmp"] }],
    ["reserveBytes", { reserveBytes: -1n }],
    ["maxVolumesPerNode", { maxVolumesPerNode: -1 }],
  ])("are refused by the name of what is wrong: %s", (name, wrong) => {
    expect(() => resolveOptions({ ...right, ...wrong })).toThrow(name);
  });
});
