import { describe, expect, it } from "vitest";
import { realPath, withRealMentions } from "./path-mentions.ts";

const places = [
  { named: "/csi", real: "/state/plugins/local" },
  { named: "/data", real: "/state/volumes/data" },
  { named: "/data/sub/", real: "/state/volumes/sub/" },
  { named: "/a.b", real: "/state/dotted" },
];

describe("a text that mentions paths of a container", () => {
  it.each([
    ["/data", "/state/volumes/data"],
    ["/data/", "/state/volumes/data/"],
    ["echo hi > /data/out; cat /data/out", "echo hi > /state/volumes/data/out; cat /state/volumes/data/out"],
    ["--dir=/data,/csi", "--dir=/state/volumes/data,/state/plugins/local"],
    ["unix:///csi/csi.sock", "unix:///state/plugins/local/csi.sock"],
    ["unix:/csi/csi.sock", "unix:/state/plugins/local/csi.sock"],
    ['cd "/data" && ls', 'cd "/state/volumes/data" && ls'],
    ["/data/sub/x /data/subway", "/state/volumes/sub/x /state/volumes/data/subway"],
    ["/a.b/c", "/state/dotted/c"],
  ])("%s becomes %s", (text, real) => {
    expect(withRealMentions(text, places)).toBe(real);
  });

  it.each([
    "/database",
    "/data.txt",
    "/data-2",
    "/var/data",
    "./data",
    "~/data",
    "${HOME}/data",
    "$(pwd)/data",
    "a/csi",
    "/aXb",
    "data",
    "",
  ])("%s is left as it is", (text) => {
    expect(withRealMentions(text, places)).toBe(text);
  });

  it("is not replaced twice where one place is below the name of another", () => {
    const crossed = [
      { named: "/a", real: "/b/of-a" },
      { named: "/b", real: "/a/of-b" },
    ];
    expect(withRealMentions("/a /b", crossed)).toBe("/b/of-a /a/of-b");
  });
});

describe("a path of a container", () => {
  it("is where the innermost mount is", () => {
    expect(["/data/sub/x", "/data/x", "/data", "/database"].map((path) => realPath(path, places))).toEqual([
      "/state/volumes/sub/x",
      "/state/volumes/data/x",
      "/state/volumes/data",
      "/database",
    ]);
  });
});
