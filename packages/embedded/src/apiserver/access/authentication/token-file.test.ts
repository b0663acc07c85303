import { hasErrorCode } from "@stowage/machinery";
import { describe, expect, it } from "vitest";
import { refusalOf } from "../testing/refusal.ts";
import { parseTokenFile } from "./token-file.ts";

describe("a token file", () => {
  it.each<[string, string, object]>([
    ["names a user", "secret,ann,u1", { secret: { name: "ann", uid: "u1", groups: [] } }],
    ["can name groups", 'secret,ann,u1,"dev,ops"', { secret: { name: "ann", uid: "u1", groups: ["dev", "ops"] } }],
    ["can name one group without quotes", "secret,ann,u1,dev", { secret: { name: "ann", uid: "u1", groups: ["dev"] } }],
    ["can leave the uid empty", "secret,ann,", { secret: { name: "ann", groups: [] } }],
    ["can have quotes in quotes", 'secret,"an""n",u1', { secret: { name: 'an"n', uid: "u1", groups: [] } }],
    ["passes over empty tokens and lines", ",ann,u1\n\r\nt,bob,u2\r\n", { t: { name: "bob", uid: "u2", groups: [] } }],
    ["lets the last of equal tokens count", "t,ann,u1\nt,bob,u2", { t: { name: "bob", uid: "u2", groups: [] } }],
  ])("%s", (_what, text, tokens) => {
    expect(Object.fromEntries(parseTokenFile(text))).toEqual(tokens);
  });

  it("with too few columns is refused by the number of the line, without the secret", () => {
    const error = refusalOf(() => parseTokenFile("a,b,c\nsecret,ann"));
    expect(hasErrorCode(error, "CREDENTIALS_UNUSABLE")).toBe(true);
    expect(String(error)).toContain("Line 2");
    expect(String(error)).not.toContain("secret");
  });
});
