import { ManualClock } from "@stowage/machinery/testing";
import { describe, expect, it } from "vitest";
import { callerOf } from "../fixtures/mock-caller.ts";
import { volumeNamed } from "../fixtures/requests.ts";
import { createMockDriver } from "../mock-driver.ts";
import type { MockDriverOptions } from "../options.ts";

function mock(options: Partial<MockDriverOptions> = {}) {
  const { driver, control } = createMockDriver({ nodeId: "node-1", ...options });
  const call = callerOf(driver);
  const create = (name: string, signal?: AbortSignal) => call("createVolume", volumeNamed(name), signal);
  const names = () => control.state().volumes.map(({ name }) => name);
  return { driver, control, call, create, names };
}

const code = (grpcCode: string) => expect.objectContaining({ grpcCode });

describe("a fault", () => {
  it("strikes as often as it was told to, and does nothing else", async () => {
    const { control, create, names } = mock();
    control.addFault({ method: "CreateVolume", kind: "fail", code: "INTERNAL", message: "boom", times: 2 });
    await expect(create("a")).rejects.toThrow("boom");
    await expect(create("a")).rejects.toEqual(code("INTERNAL"));
    expect(names()).toEqual([]);
    await create("a");
    expect(control.faults()).toEqual([]);
  });

  it("strikes always when no number is given, until it is removed", async () => {
    const { control, create } = mock();
    const { id } = control.addFault({ method: "*", kind: "fail", code: "UNAVAILABLE" });
    await expect(create("a")).rejects.toEqual(code("UNAVAILABLE"));
    await expect(create("a")).rejects.toEqual(code("UNAVAILABLE"));
    expect(control.removeFault(id)).toBe(true);
    expect(control.removeFault(id)).toBe(false);
    await create("a");
  });

  it("strikes only the volume that it names, by the name even where the call has an id", async () => {
    const { control, create, call } = mock();
    const volumeId = (await create("a")).volume?.volumeId;
    control.addFault({ method: "DeleteVolume", volume: "a", kind: "fail", code: "INTERNAL" });
    control.addFault({ method: "CreateVolume", volume: "a", kind: "fail", code: "INTERNAL" });
    await create("b");
    await expect(create("a")).rejects.toEqual(code("INTERNAL"));
    await expect(call("deleteVolume", { volumeId })).rejects.toEqual(code("INTERNAL"));
  });

  it("hangs until the caller gives up", async () => {
    const { control, create, names } = mock();
    control.addFault({ method: "CreateVolume", kind: "hang" });
    const caller = new AbortController();
    const hanging = create("a", caller.signal);
    await expect.poll(() => control.calls()).toMatchObject([{ method: "CreateVolume" }]);
    expect(control.calls()[0]?.code).toBeUndefined();
    caller.abort();
    await expect(hanging).rejects.toEqual(code("CANCELLED"));
    expect(control.calls()).toMatchObject([{ code: "CANCELLED" }]);
    expect(names()).toEqual([]);
  });

  it("slows the work, which is not begun when the caller gives up before", async () => {
    const clock = new ManualClock();
    const { control, create, names } = mock({ clock });
    control.addFault({ method: "CreateVolume", kind: "slow", delayMs: 20 });
    const caller = new AbortController();
    const givenUp = create("a", caller.signal);
    await clock.advance(19);
    caller.abort();
    await expect(givenUp).rejects.toEqual(code("CANCELLED"));
    await clock.advance(1);
    expect(names()).toEqual([]);
    const slow = create("a");
    await clock.advance(19);
    expect(names()).toEqual([]);
    await clock.advance(1);
    await slow;
    expect(names()).toEqual(["a"]);
    expect(control.calls()).toMatchObject([{ durationMs: 19 }, { durationMs: 20 }]);
  });

  it("answers late, with the work done", async () => {
    const { control, create, names } = mock();
    control.addFault({ method: "CreateVolume", kind: "late", delayMs: 60_000, times: 1 });
    const caller = new AbortController();
    const givenUp = create("a", caller.signal);
    await expect.poll(names).toEqual(["a"]);
    expect(control.calls()[0]?.code).toBeUndefined();
    caller.abort();
    await expect(givenUp).rejects.toEqual(code("CANCELLED"));
    await create("a");
    expect(names()).toEqual(["a"]);
  });

  it("loses the answer, with the work done", async () => {
    const { control, create, names } = mock();
    control.addFault({ method: "CreateVolume", kind: "lostReply", times: 1 });
    await expect(create("a")).rejects.toEqual(code("UNAVAILABLE"));
    expect(names()).toEqual(["a"]);
  });
});

describe("the record of calls", () => {
  it("has no secrets in it", async () => {
    const { control, call } = mock();
    await call("createVolume", volumeNamed("a", { secrets: { password: "hunter2" } }));
    const [record] = control.calls("CreateVolume");
    expect(record).toMatchObject({ code: "OK", request: { name: "a", secrets: "***stripped***" } });
    expect(JSON.stringify(record)).not.toContain("hunter2");
    control.clearCalls();
    expect(control.calls()).toEqual([]);
  });
});

describe("secrets", () => {
  const secrets = { CreateVolumeSecret: { password: "hunter2" } };

  it.each([
    ["missing", {}],
    ["wrong", { password: "guess" }],
  ])("that are %s keep a call out", async (_what, given) => {
    const { call, names } = mock({ secrets });
    const creating = call("createVolume", volumeNamed("a", { secrets: given }));
    await expect(creating).rejects.toEqual(code("UNAUTHENTICATED"));
    expect(names()).toEqual([]);
  });

  it("are asked of the calls alone that need them", async () => {
    const { call } = mock({ secrets });
    await call("createVolume", volumeNamed("a", { secrets: { password: "hunter2", more: "x" } }));
    await call("listVolumes");
  });
});
