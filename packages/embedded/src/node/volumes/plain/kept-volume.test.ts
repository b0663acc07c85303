import { writeFileSync } from "node:fs";
import { MemoryEventRecorder } from "@stowage/kube";
import type { Pod } from "@stowage/machinery";
import { ManualClock, settled } from "@stowage/machinery/testing";
import { describe, expect, it } from "vitest";
import { KeptVolume } from "./kept-volume.ts";

const pod: Pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "web", namespace: "shop", uid: "u" } };

/** A volume that is set up as the test says, until it is stopped. */
function scene(setUp: (pod: Pod, nowMs: number) => Promise<number | undefined>) {
  const clock = new ManualClock();
  const events = new MemoryEventRecorder();
  const stop = new AbortController();
  const times: number[] = [];
  const startMs = clock.nowMs();
  const kept = new KeptVolume(
    {
      clock,
      events,
      setUp: (current) => {
        times.push(clock.nowMs() - startMs);
        return setUp(current, clock.nowMs());
      },
    },
    pod,
    { name: "data" },
  );
  const ended = kept.run(stop.signal);
  return { clock, events, kept, stop, times, ended };
}

describe("a volume that is looked after", () => {
  it("is tried again at longer and longer times, and each failure is told", async () => {
    let isThere = false;
    const { clock, events, kept, times, stop, ended } = scene(async () => {
      if (!isThere) throw new Error("not yet");
      return undefined;
    });
    for (const waitMs of [500, 1000, 2000]) await clock.advance(waitMs);
    expect(times).toEqual([0, 500, 1500, 3500]);
    expect(events.events.map(({ reason, message }) => [reason, message])[0]).toEqual([
      "FailedMount",
      'MountVolume.SetUp failed for volume "data" : not yet',
    ]);
    isThere = true;
    await clock.advance(4000);
    await kept.first;
    stop.abort();
    await ended;
  });

  it("is set up again when its time has come, or when something changes", async () => {
    const names: (string | undefined)[] = [];
    const { clock, kept, times, stop, ended } = scene(async (current, nowMs) => {
      names.push(current.metadata.name);
      return nowMs + 60_000;
    });
    await kept.first;
    await clock.advance(60_000);
    await clock.advance(1_000);
    kept.wake({ ...pod, metadata: { ...pod.metadata, name: "renamed" } });
    await settled();
    expect(times).toEqual([0, 60_000, 61_000]);
    expect(names).toEqual(["web", "web", "renamed"]);
    stop.abort();
    await ended;
  });

  it("notices what changes while it is set up", async () => {
    const going = Promise.withResolvers<undefined>();
    let count = 0;
    const { kept, stop, ended } = scene(() => (++count === 1 ? going.promise : Promise.resolve(undefined)));
    kept.wake();
    going.resolve(undefined);
    await kept.first;
    await settled();
    expect(count).toBe(2);
    stop.abort();
    await ended;
  });

  it("tells what is wrong with a path as kubelet does", async () => {
    const { events, stop, ended } = scene(async () => writeFileSync("/none/file", "") as undefined);
    await settled();
    stop.abort();
    await ended;
    expect(events.events[0]?.message).toBe(
      'MountVolume.SetUp failed for volume "data" : open /none/file: no such file or directory',
    );
  });

  it("is not waited for any more when it is let go", async () => {
    const { kept, stop, ended } = scene(() => Promise.reject(new Error("never")));
    await settled();
    stop.abort();
    await ended;
    await expect(kept.first).rejects.toThrow(expect.objectContaining({ name: "AbortError" }));
  });
});
