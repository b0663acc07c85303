import { describe, expect, it } from "vitest";
import { ScriptedDiscovery } from "./fixtures/scripted-discovery.ts";
import { readVersion, serverVersion } from "./server-version.ts";

describe("the server's version", () => {
  it("is read from /version", async () => {
    const server = new ScriptedDiscovery();
    server.answers.set("/version", { major: "1", minor: "36", gitVersion: "v1.36.3", platform: "linux/amd64" });
    expect(await serverVersion(server)).toEqual({
      major: 1,
      minor: 36,
      gitVersion: "v1.36.3",
      platform: "linux/amd64",
    });
  });

  it.each([
    [{ major: "1", minor: "29+", gitVersion: "v1.29.4-eks-036c24b" }, 1, 29],
    [{ major: "", minor: "", gitVersion: "v1.31.0" }, 1, 31],
    [{}, 0, 0],
  ])("of %o is understood", (info, major, minor) => {
    expect(readVersion(info)).toMatchObject({ major, minor });
  });
});
