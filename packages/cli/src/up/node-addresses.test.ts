import { isIPv4 } from "node:net";
import { expect, it } from "vitest";
import { nodeAddressIn } from "./node-addresses.ts";

it("is the same each time, and another for each node and each cluster", () => {
  const addresses = [nodeAddressIn("/a", 1), nodeAddressIn("/a", 2), nodeAddressIn("/b", 1)];
  expect(new Set(addresses).size).toBe(3);
  expect(nodeAddressIn("/a", 1)).toBe(addresses[0]);
});

it("is on the loopback, and not among those of Pods", () => {
  const addresses = Array.from({ length: 500 }, (_, each) => nodeAddressIn(`/${each}`, 1));
  const parts = addresses.map((address) => address.split(".").map(Number));
  expect(addresses.every(isIPv4)).toBe(true);
  expect(parts.filter(([first, second = 0]) => first !== 127 || second < 1 || second > 63)).toEqual([]);
});
