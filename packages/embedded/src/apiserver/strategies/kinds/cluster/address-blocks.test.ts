import { describe, expect, it } from "vitest";
import { addressBlockErrors, blockFamily } from "./address-blocks.ts";

describe("a block of addresses", () => {
  it.each([
    ["10.0.0.0/24", 4],
    ["0.0.0.0/0", 4],
    ["fd00::/64", 6],
    ["fd00::1/128", 6],
  ])("%s is right, and of family %i", (block, family) => {
    expect(addressBlockErrors(block, "a")).toEqual([]);
    expect(blockFamily(block)).toBe(family);
  });

  it.each([
    ["10.0.0.0", "must be a valid CIDR value"],
    ["10.0.0.0/33", "must be a valid CIDR value"],
    ["010.0.0.0/24", "must not have leading 0s"],
    ["10.0.0.1/24", "must not have bits set beyond the prefix length"],
    ["fd00::1/64", "must not have bits set beyond the prefix length"],
    ["::ffff:10.0.0.0/120", "must not have an IPv4-mapped IPv6 address"],
  ])("%s is not: %s", (block, problem) => {
    expect(addressBlockErrors(block, "a")).toMatchObject([{ body: expect.stringContaining(problem) }]);
  });
});
