import type { JsonObject } from "@stowage/machinery/apply";
import { describe, expect, it } from "vitest";
import { JsonPath } from "./json-path.ts";
import { JsonPathError } from "./json-path-parser.ts";

const object: JsonObject = {
  text: "t",
  none: null,
  list: ["p", "q", "r"],
  "a.b": "dotted",
  deep: { inner: { found: "here" } },
  conditions: [
    { type: "Ready", status: "True", weight: 1 },
    { type: "Late", status: "False", weight: 2, message: "m(1)" },
  ],
};

describe("a path", () => {
  it.each([
    [".text", "t"],
    ["$.text", "t"],
    [".nothing", undefined],
    [".nothing.more", undefined],
    [".none", null],
    [".none.more", undefined],
    [".text.more", undefined],
    [".a\\.b", "dotted"],
    ["['text']", "t"],
    [".list[0]", "p"],
    [".list[-1]", "r"],
    [".list[3]", undefined],
    [".list[1:]", "q"],
    [".list[1:1]", undefined],
    [".list[-2:]", "q"],
    [".list[::2]", "p"],
    [".list[*]", "p"],
    [".list.*", "p"],
    [".text[0]", undefined],
    ["['none','text']", null],
    ["..found", "here"],
    ['.conditions[?(@.type=="Late")].status', "False"],
    [".conditions[?(@.type=='Late')].status", "False"],
    ['.conditions[?(@.message=="m(1)")].type', "Late"],
    [".conditions[?(@.message)].type", "Late"],
    [".conditions[?(@.weight>1)].type", "Late"],
    [".conditions[?(@.weight<=1)].type", "Ready"],
    ['.conditions[?(@.weight=="1")].type', undefined],
    ["range", undefined],
  ])("%s leads to %j", (path, value) => {
    expect(new JsonPath(path).first(object)).toEqual(value);
  });

  it.each([".list[", ".list[x]", "....x", ".x[?(@.a]", ".x[?(@.a)", "'a", "%", "-"])("%s cannot be read", (path) => {
    expect(() => new JsonPath(path)).toThrow(JsonPathError);
  });
});
