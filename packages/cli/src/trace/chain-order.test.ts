import * as fc from "fast-check";
import { expect, it } from "vitest";
import { inOrder, rankOf } from "./chain-order.ts";
import { sampleStep } from "./fixtures/sample-step.ts";

const says = (steps: readonly { says: string }[]) => steps.map((step) => step.says);

it("puts what is known to the second after the calls that led to it", () => {
  const bound = sampleStep({ atMs: 5000, isExact: false, says: "bound", rank: rankOf("write PersistentVolumeClaim") });
  const asked = sampleStep({ atMs: 5000, isExact: false, says: "asked", rank: rankOf("Provisioning") });
  const made = sampleStep({ atMs: 5400, says: "made", code: "OK", rank: rankOf("CreateVolume") });
  const published = sampleStep({ atMs: 5600, says: "published", code: "OK", rank: rankOf("ControllerPublishVolume") });
  expect(says(inOrder([published, bound, made, asked]))).toEqual(["asked", "made", "bound", "published"]);
});

it("puts a failure after the call that failed, not after the one that went well", () => {
  const rank = rankOf("CreateVolume");
  const refused = sampleStep({ atMs: 5100, says: "refused", code: "INTERNAL", isTrouble: true, rank });
  const made = sampleStep({ atMs: 5900, says: "made", code: "OK", rank });
  const told = { atMs: 5000, isExact: false, says: "told", isTrouble: true, rank: rankOf("ProvisioningFailed") };
  expect(says(inOrder([sampleStep(told), made, refused]))).toEqual(["refused", "told", "made"]);
});

it("never changes the order of what is known exactly, nor moves anything to another second", () => {
  const step = fc.record({ atMs: fc.nat(9999), isExact: fc.boolean(), rank: fc.nat(60) }).map((given) => {
    const atMs = given.isExact ? given.atMs : given.atMs - (given.atMs % 1000);
    return sampleStep({ ...given, atMs });
  });
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const ordered = inOrder(steps);
      const seconds = ordered.map(({ atMs }) => Math.floor(atMs / 1000));
      const exact = ordered.filter(({ isExact }) => isExact).map(({ atMs }) => atMs);
      expect(seconds).toEqual(seconds.toSorted((a, b) => a - b));
      expect(exact).toEqual(exact.toSorted((a, b) => a - b));
      expect(new Set(ordered)).toEqual(new Set(steps));
    }),
  );
});
