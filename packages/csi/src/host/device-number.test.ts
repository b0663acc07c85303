import { execFileSync } from "node:child_process";
import { statSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { deviceNumber } from "./device-number.ts";

describe("the number of a device", () => {
  it("has both parts, however large they are", () => {
    expect(deviceNumber(0x0801n)).toBe("8:1");
    expect(deviceNumber(0x1000_1110_0170n)).toBe("4097:70000");
  });

  it.each(["/proc", "/dev", "/"])("is what stat says of %s", (path) => {
    const said = execFileSync("stat", ["--format", "%Hd:%Ld", path], { encoding: "utf8" }).trim();
    expect(deviceNumber(statSync(path, { bigint: true }).dev)).toBe(said);
  });
});
