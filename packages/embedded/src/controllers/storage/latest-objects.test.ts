import { expect, it } from "vitest";
import { claim } from "./fixtures/storage-objects.ts";
import { LatestObjects } from "./latest-objects.ts";

const at = (resourceVersion: string) =>
  claim("data", { metadata: { name: "data", namespace: "shop", resourceVersion } });

it("does not take what is older than what was written, and takes the same again", () => {
  const latest = new LatestObjects<ReturnType<typeof claim>>();
  expect(latest.take(at("9"))).toBe(true);
  latest.wrote(at("10"));
  expect(latest.take(at("9"))).toBe(false);
  expect(latest.getByKey("shop/data")?.metadata.resourceVersion).toBe("10");
  expect(latest.take(at("10"))).toBe(true);
});

it("keeps what is gone until it is told to forget it", () => {
  const latest = new LatestObjects<ReturnType<typeof claim>>();
  latest.take(at("9"));
  expect(latest.list()).toHaveLength(1);
  latest.forget("shop/data");
  expect(latest.getByKey("shop/data")).toBeUndefined();
});
