import { describe, expect, it } from "vitest";
import { socketPathProblem, wayToSocket } from "./socket-path.ts";

const ofLength = (bytes: number, name = "csi.sock") => `/${"x".repeat(bytes - name.length - 2)}/${name}`;

describe("the path of a socket", () => {
  it("stays as it is where the kernel takes it", () => {
    expect(wayToSocket(ofLength(107))).toBeUndefined();
    expect(wayToSocket(ofLength(108))).toEqual({ folder: `/${"x".repeat(98)}`, name: "csi.sock" });
  });

  it("is measured in bytes", () => {
    expect(wayToSocket(`/${"é".repeat(53)}`)).toBeUndefined();
    expect(wayToSocket(`/é${"é".repeat(53)}`)).toBeDefined();
  });

  it("is as long as any path may be on Linux, if its name is short enough", () => {
    expect(socketPathProblem(ofLength(4095), "linux")).toBeUndefined();
    expect(socketPathProblem(ofLength(4096), "linux")).toContain("at most 4095 bytes, this one has 4096");
    expect(socketPathProblem(ofLength(300, "n".repeat(85)), "linux")).toBeUndefined();
    expect(socketPathProblem(ofLength(300, "n".repeat(86)), "linux")).toContain("at most 85 bytes, this one has 86");
  });

  it("is what the kernel takes elsewhere", () => {
    expect(socketPathProblem(ofLength(103), "darwin")).toBeUndefined();
    expect(socketPathProblem(ofLength(104), "darwin")).toContain("at most 103 bytes, this one has 104");
  });
});
