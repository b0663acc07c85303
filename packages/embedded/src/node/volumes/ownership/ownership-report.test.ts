import { MemoryEventRecorder } from "@stowage/kube";
import type { Pod } from "@stowage/machinery";
import { ManualClock } from "@stowage/machinery/testing";
import { expect, it } from "vitest";
import { setPodVolumeOwnership } from "./ownership-report.ts";

it("tells when a volume takes long to be given to a group, and how far it has come", async () => {
  const pod: Pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "web", namespace: "shop", uid: "u-1" } };
  const clock = new ManualClock();
  const events = new MemoryEventRecorder();
  const going = Promise.withResolvers<void>();
  const wish = { path: "/pods/u-1/volumes/v", fsGroup: 7, changePolicy: undefined, isReadOnly: false };
  const work = setPodVolumeOwnership(
    {
      events,
      clock,
      change: async ({ onProgress }) => {
        onProgress?.(12);
        await going.promise;
      },
    },
    pod,
    wish,
    new AbortController().signal,
  );
  const told = () => events.events.map(({ reason, message }) => `${reason}: ${message.split(" - ")[0]}`);
  await clock.advance(29_999);
  expect(told()).toEqual([]);
  await clock.advance(60_001);
  const begin = "VolumePermissionChangeInProgress: Setting volume ownership for u-1/volumes/v";
  const all = [
    `${begin} is taking longer than expected, consider using OnRootMismatch`,
    `${begin}, processed 12 files.`,
  ];
  expect(told()).toEqual(all);
  going.resolve();
  await work;
  await clock.advance(600_000);
  expect(told()).toEqual(all);
});
