import { expect, it } from "vitest";
import { compilePathPattern } from "./path-pattern.ts";

it.each([
  ["/metrics", "/metrics", true],
  ["/metrics", "/metrics/", false],
  ["/metrics", "/Metrics", false],
  ["/metrics", "/a/metrics", false],
  ["/*", "/metrics", true],
  ["/*", "/metrics/cadvisor", false],
  ["/metrics/*", "/metrics/cadvisor", true],
  ["/metrics/*", "/metrics/", true],
  ["/health?", "/healthz", true],
  ["/health?", "/health/", false],
  ["/[a-c]", "/b", true],
  ["/[a-c]", "/d", false],
  ["/[^a-c]", "/d", true],
  ["/[^a-c]", "/b", false],
  ["/[\\]]", "/]", true],
  ["/\\*", "/*", true],
  ["/\\*", "/x", false],
  ["/a.b", "/axb", false],
  ["/(a|b)", "/(a|b)", true],
  ["/ü*", "/über", true],
])("the pattern %s and the path %s: %s", (pattern, path, expected) => {
  expect(compilePathPattern(pattern)(path)).toBe(expected);
});

it.each(["/[", "/[]", "/[a", "/a\\", "/[c-a]"])("the pattern %s is refused", (pattern) => {
  expect(() => compilePathPattern(pattern)).toThrow(/is malformed/);
});
