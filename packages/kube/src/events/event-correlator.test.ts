import type { Event } from "@stowage/machinery";
import { describe, expect, it } from "vitest";
import { defaultCorrelatorLimits } from "./correlator-limits.ts";
import { createEventCorrelator } from "./event-correlator.ts";
import { eventObject } from "./event-object.ts";
import { LruMap } from "./lru-map.ts";

const MINUTE = 60_000;

let sequence = 0n;

interface Told {
  readonly message?: string;
  readonly name?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly fieldPath?: string;
  readonly type?: "Normal" | "Warning";
  readonly reason?: string;
  readonly component?: string;
  readonly atMs?: number;
}

function told(more: Told = {}): Event {
  const { name = "data", uid, resourceVersion, fieldPath, message = "no space left", atMs = 0 } = more;
  return eventObject({
    subject: { kind: "PersistentVolumeClaim", namespace: "shop", name, uid, resourceVersion, fieldPath },
    type: more.type ?? "Warning",
    reason: more.reason ?? "ProvisioningFailed",
    message,
    source: { component: more.component ?? "provisioner" },
    timeNs: BigInt(atMs) * 1_000_000n + sequence++,
  });
}

/** A correlator that is told of events at given times. */
function correlating(limits: Partial<typeof defaultCorrelatorLimits> = {}) {
  const correlator = createEventCorrelator({ ...defaultCorrelatorLimits, ...limits });
  return (more: Told = {}) => correlator.correlate(told(more), more.atMs ?? 0);
}

const unlimited = { spamBurst: 1_000_000 };

describe("an event that repeats", () => {
  it("is counted on the Event of the first time", () => {
    const tell = correlating();
    const first = tell({ resourceVersion: "1" });
    const second = tell({ atMs: 5 * MINUTE, resourceVersion: "2" });
    expect(first).toMatchObject({ isRepeat: false, event: { count: 1 } });
    expect(second).toMatchObject({
      isRepeat: true,
      event: {
        metadata: first?.event.metadata,
        count: 2,
        firstTimestamp: "1970-01-01T00:00:00Z",
        lastTimestamp: "1970-01-01T00:05:00Z",
      },
    });
  });

  it("begins a new Event when the last time is more than an hour ago", () => {
    const tell = correlating();
    const first = tell();
    expect(tell({ atMs: 60 * MINUTE })).toMatchObject({ isRepeat: true });
    const late = tell({ atMs: 120 * MINUTE + 1 });
    expect(late).toMatchObject({ isRepeat: false, event: { count: 1, firstTimestamp: "1970-01-01T02:00:00Z" } });
    expect(late?.event.metadata.name).not.toBe(first?.event.metadata.name);
  });

  it.each([
    [{ message: "quota exceeded" }],
    [{ name: "other" }],
    [{ uid: "uid-2" }],
    [{ fieldPath: "spec.resources" }],
    [{ type: "Normal" as const }],
    [{ reason: "Provisioning" }],
    [{ component: "resizer" }],
  ])("is not the same when it differs in %o", (difference) => {
    const tell = correlating();
    tell();
    expect(tell(difference)).toMatchObject({ isRepeat: false, event: { count: 1 } });
  });
});

describe("similar events", () => {
  const tellMany = (tell: ReturnType<typeof correlating>, count: number) =>
    Array.from({ length: count }, (_, n) => tell({ message: `attempt ${n + 1}`, atMs: n * 1000 }));

  it("are combined from the eleventh message on", () => {
    const results = tellMany(correlating(unlimited), 12);
    expect(results.slice(0, 10).every((result) => result?.isRepeat === false)).toBe(true);
    expect(results[9]?.event.message).toBe("attempt 10");
    expect(results[10]).toMatchObject({
      isRepeat: false,
      event: { message: "(combined from similar events): attempt 11", count: 1 },
    });
    expect(results[11]).toMatchObject({
      isRepeat: true,
      event: {
        metadata: results[10]?.event.metadata,
        message: "(combined from similar events): attempt 12",
        count: 2,
        firstTimestamp: "1970-01-01T00:00:10Z",
        lastTimestamp: "1970-01-01T00:00:11Z",
      },
    });
  });

  it("are told apart again after ten quiet minutes", () => {
    const tell = correlating(unlimited);
    tellMany(tell, 11);
    expect(tell({ message: "new", atMs: 10_000 + 10 * MINUTE })?.event.message).toMatch(/^\(combined/);
    expect(tell({ message: "newer", atMs: 10_001 + 20 * MINUTE })?.event.message).toBe("newer");
  });

  it("leave a message that was told before as it was", () => {
    const tell = correlating(unlimited);
    tellMany(tell, 11);
    expect(tell({ message: "attempt 1", atMs: 12_000 })).toMatchObject({
      isRepeat: true,
      event: { message: "attempt 1", count: 2 },
    });
  });

  it("leave other reasons and objects alone", () => {
    const tell = correlating(unlimited);
    tellMany(tell, 11);
    expect(tell({ message: "m", reason: "Resizing" })?.event.message).toBe("m");
    expect(tell({ message: "m", name: "other" })?.event.message).toBe("m");
  });

  it("stay within the limit of a message", () => {
    const tell = correlating(unlimited);
    tellMany(tell, 10);
    const message = tell({ message: "x".repeat(1024) })?.event.message ?? "";
    expect(message).toMatch(/^\(combined from similar events\): x+\.\.\.$/);
    expect(message).toHaveLength(1024);
  });
});

describe("too many events of one object", () => {
  it("are held back after 25, but for one every five minutes", () => {
    const tell = correlating();
    const results = Array.from({ length: 30 }, () => tell());
    expect(results.filter((result) => result !== undefined)).toHaveLength(25);
    expect(tell({ atMs: 5 * MINUTE - 1 })).toBeUndefined();
    expect(tell({ atMs: 5 * MINUTE })).toBeDefined();
    expect(tell({ atMs: 5 * MINUTE })).toBeUndefined();
  });

  it("are counted nevertheless", () => {
    const tell = correlating();
    for (let n = 0; n < 40; n++) tell();
    expect(tell({ atMs: 5 * MINUTE })?.event.count).toBe(41);
  });

  it("do not cost other objects or sources theirs", () => {
    const tell = correlating();
    for (let n = 0; n < 30; n++) tell();
    expect(tell({ name: "other" })).toBeDefined();
    expect(tell({ component: "resizer" })).toBeDefined();
  });

  it("never save up more than the burst", () => {
    const tell = correlating();
    const day = 24 * 60 * MINUTE;
    tell();
    expect(Array.from({ length: 30 }, () => tell({ atMs: day })).filter((result) => result !== undefined)).toHaveLength(
      25,
    );
  });
});

describe("the memory of the correlator", () => {
  it("forgets what was not seen for longest", () => {
    const tell = correlating({ memory: 2 });
    tell({ name: "a" });
    tell({ name: "b" });
    tell({ name: "a" });
    tell({ name: "c" });
    expect(tell({ name: "a" })).toMatchObject({ isRepeat: true, event: { count: 3 } });
    expect(tell({ name: "b" })).toMatchObject({ isRepeat: false, event: { count: 1 } });
  });

  it("holds no more entries than it may", () => {
    const map = new LruMap<number, string>(3);
    for (let key = 0; key < 10; key++) map.set(key, "value");
    expect(map.size).toBe(3);
    expect([6, 7, 8, 9].map((key) => map.get(key))).toEqual([undefined, "value", "value", "value"]);
  });
});
