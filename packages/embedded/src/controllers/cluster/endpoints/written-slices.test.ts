import type { EndpointSlice } from "@stowage/machinery";
import { ManualClock } from "@stowage/machinery/testing";
import { expect, test } from "vitest";
import { WrittenSlices } from "./written-slices.ts";

const slice = (uid: string, resourceVersion: string): EndpointSlice => ({
  apiVersion: "discovery.k8s.io/v1",
  kind: "EndpointSlice",
  metadata: { name: uid, uid, resourceVersion },
  addressType: "IPv4",
});

test("copies are acted on when they show all that was written", () => {
  const written = new WrittenSlices(new ManualClock());
  expect(written.areShown("shop/web", [])).toBe(true);
  written.wrote("shop/web", slice("a", "7"));
  expect(written.areShown("shop/web", [])).toBe(false);
  expect(written.areShown("shop/web", [slice("a", "6")])).toBe(false);
  expect(written.areShown("shop/web", [slice("a", "7")])).toBe(true);
  expect(written.areShown("shop/web", [slice("a", "10")])).toBe(true);
  expect(written.isOwn("shop/web", slice("a", "7"))).toBe(true);
  expect(written.isOwn("shop/web", slice("a", "8"))).toBe(false);
});

test("what is gone is not waited for", async () => {
  const clock = new ManualClock();
  const written = new WrittenSlices(clock);
  written.wrote("shop/web", slice("a", "7"));
  written.forgetSlice("shop/web", slice("a", "7"));
  expect(written.areShown("shop/web", [])).toBe(true);
  written.wrote("shop/web", slice("b", "8"));
  await clock.advance(60_001);
  expect(written.areShown("shop/web", [])).toBe(true);
});
