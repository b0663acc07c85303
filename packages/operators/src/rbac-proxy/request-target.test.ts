import { describe, expect, it } from "vitest";
import { cleanPath, parseTarget } from "./request-target.ts";

describe("the target of a request", () => {
  it.each([
    ["/metrics", { path: "/metrics", rawPath: "/metrics", query: "" }],
    ["/metrics?a=b?c", { path: "/metrics", rawPath: "/metrics", query: "a=b?c" }],
    ["/a%20b%2Fc", { path: "/a b/c", rawPath: "/a%20b%2Fc", query: "" }],
    ["http://host:80/metrics?x", { path: "/metrics", rawPath: "/metrics", query: "x" }],
  ])("%s is read", (target, expected) => {
    expect(parseTarget(target)).toEqual(expected);
  });

  it.each(["", "*", "metrics", "host:443", "/%", "/%ff", "/a%00b", "/a%0ab", "/..\\metrics", "/%5c", "/a#b"])(
    "%j is not",
    (target) => expect(parseTarget(target)).toBeUndefined(),
  );
});

it.each([
  ["/", "/"],
  ["/metrics", "/metrics"],
  ["/metrics/", "/metrics/"],
  ["//metrics", "/metrics"],
  ["/a/./b/../c", "/a/c"],
  ["/../../metrics", "/metrics"],
  ["/a/..", "/"],
  ["/...", "/..."],
])("the path %s is better written %s", (path, clean) => {
  expect(cleanPath(path)).toBe(clean);
});
