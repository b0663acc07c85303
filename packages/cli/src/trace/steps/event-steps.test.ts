import type { Event } from "@stowage/machinery";
import { expect, it } from "vitest";
import { eventSteps } from "./event-steps.ts";

const event = (given: Partial<Event>): Event => ({
  apiVersion: "v1",
  kind: "Event",
  metadata: { namespace: "shop", name: "e" },
  involvedObject: { kind: "PersistentVolumeClaim", namespace: "shop", name: "data" },
  reason: "Provisioning",
  message: "now",
  source: { component: "a.csi.test_pod-1" },
  firstTimestamp: "2026-01-01T00:00:00Z",
  ...given,
});
const stepOf = (given: Partial<Event>) => eventSteps([event(given)], "a.csi.test")[0];

it("says how often a thing was said, and for how long", () => {
  const counted = stepOf({ count: 7, lastTimestamp: "2026-01-01T00:01:00Z" });
  expect(counted).toMatchObject({ says: "Provisioning (7 times): now", durationMs: 60_000, isExact: false });
  const eventTime = "2026-01-01T00:00:00.250000Z";
  const series = { count: 3, lastObservedTime: "2026-01-01T00:00:01.250000Z" };
  const newer = stepOf({
    firstTimestamp: undefined,
    eventTime,
    series,
    reportingComponent: "default-scheduler",
    source: {},
  });
  expect(newer).toMatchObject({ durationMs: 1000, isExact: true, actor: "default-scheduler" });
});

it("has the sidecar that speaks under its driver's name, the kubelet with its node, others as they call themselves", () => {
  const kubelet = { source: { component: "kubelet", host: "node-1" } };
  const foreign = { source: { component: "external-resizer b.csi.test" }, reason: "Resizing" };
  const actors = [{}, { reason: "Resizing" }, { reason: "SnapshotCreated" }, kubelet, foreign].map(stepOf);
  expect(actors.map((step) => step?.actor)).toEqual([
    "provisioner",
    "resizer",
    "snapshotter",
    "kubelet node-1",
    "external-resizer",
  ]);
});

it("has the code of the call that an event tells of", () => {
  const message = "rpc error: code = ResourceExhausted desc = no room";
  expect(stepOf({ reason: "ProvisioningFailed", type: "Warning", message })).toMatchObject({
    code: "ResourceExhausted",
    isTrouble: true,
  });
});
