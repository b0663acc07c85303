import type { KubernetesObject } from "@stowage/machinery";
import { ManualClock } from "@stowage/machinery/testing";
import { describe, expect, it } from "vitest";
import { eventObject, type Occurrence } from "./event-object.ts";
import { createEventTimes } from "./event-times.ts";
import { truncateMessage } from "./message-limit.ts";

const claim: KubernetesObject = {
  apiVersion: "v1",
  kind: "PersistentVolumeClaim",
  metadata: { name: "data", namespace: "shop", uid: "uid-1", resourceVersion: "42", labels: { app: "web" } },
};

const occurrence = (more: Partial<Occurrence> = {}): Occurrence => ({
  subject: claim,
  type: "Warning",
  reason: "ProvisioningFailed",
  message: "no space left",
  source: { component: "local.csi.stowage.dev_host-1_1234", host: "host-1" },
  timeNs: 1_769_871_845_123_456_789n,
  ...more,
});

describe("the Event for an occurrence", () => {
  it("has all that kubectl describe and the original components' readers look at", () => {
    expect(eventObject(occurrence())).toEqual({
      apiVersion: "v1",
      kind: "Event",
      metadata: { name: "data.188fd910e28c7f15", namespace: "shop" },
      involvedObject: {
        apiVersion: "v1",
        kind: "PersistentVolumeClaim",
        namespace: "shop",
        name: "data",
        uid: "uid-1",
        resourceVersion: "42",
      },
      reason: "ProvisioningFailed",
      message: "no space left",
      type: "Warning",
      source: { component: "local.csi.stowage.dev_host-1_1234", host: "host-1" },
      reportingComponent: "local.csi.stowage.dev_host-1_1234",
      reportingInstance: "host-1",
      count: 1,
      firstTimestamp: "2026-01-31T15:04:05Z",
      lastTimestamp: "2026-01-31T15:04:05Z",
    });
  });

  it("is in the default namespace when the object is in none", () => {
    const subject = { apiVersion: "v1", kind: "PersistentVolume", metadata: { name: "pv-1" } };
    const event = eventObject(occurrence({ subject }));
    expect(event.metadata.namespace).toBe("default");
    expect(event.involvedObject.namespace).toBeUndefined();
  });

  it("can be about a part of an object", () => {
    const subject = { kind: "Pod", namespace: "shop", name: "web", fieldPath: "spec.containers{nginx}" };
    expect(eventObject(occurrence({ subject })).involvedObject).toEqual(subject);
  });

  it.each(["system:node", "UPPER", "a".repeat(250)])("has a random name when %s cannot be part of one", (name) => {
    const event = eventObject(occurrence({ subject: { kind: "ClusterRole", name } }));
    expect(event.metadata.name).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  });
});

describe("a message", () => {
  it("of 1024 bytes is left as it is", () => {
    expect(truncateMessage("m".repeat(1024))).toBe("m".repeat(1024));
    expect(truncateMessage("é".repeat(512))).toBe("é".repeat(512));
  });

  it.each(["m", "é", "€", "😀"])("that is longer is cut between two characters, here %s", (character) => {
    for (const prefix of ["", "a", "ab", "abc"]) {
      const cut = truncateMessage(prefix + character.repeat(1025));
      const kept = cut.slice(prefix.length, -"...".length);
      expect(cut).toBe(`${prefix}${kept}...`);
      expect(kept).toBe(character.repeat(kept.length / character.length));
      const bytes = Buffer.byteLength(cut);
      expect(bytes).toBeLessThanOrEqual(1024);
      expect(bytes).toBeGreaterThan(1024 - Buffer.byteLength(character));
    }
  });
});

describe("the times of events", () => {
  it("are never the same twice, although the clock stands still", () => {
    const next = createEventTimes(new ManualClock(), () => 0.9999999);
    const times = Array.from({ length: 1000 }, next);
    expect(new Set(times).size).toBe(1000);
    expect(new Set(times.map((timeNs) => timeNs / 1_000_000n)).size).toBe(1);
  });

  it("differ between processes that begin at the same moment", () => {
    const clock = new ManualClock();
    expect(createEventTimes(clock, () => 0.1)()).not.toBe(createEventTimes(clock, () => 0.2)());
  });
});
