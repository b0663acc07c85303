import type { KubeClient } from "@stowage/kube";
import { type Event, silentLogger } from "@stowage/machinery";
import { ManualClock } from "@stowage/machinery/testing";
import { describe, expect, it } from "vitest";
import { pod } from "./fixtures/scheduler-objects.ts";
import { SchedulerEvents } from "./scheduler-events.ts";

const refused = { type: "Warning", reason: "FailedScheduling", action: "Scheduling", message: "no room" } as const;
const version = (resourceVersion: string) =>
  pod("a", { metadata: { name: "a", namespace: "shop", uid: "u", resourceVersion } });

function recorded(create = async (event: Event) => event) {
  const created: Event[] = [];
  const patches: object[] = [];
  const client = {
    create: (_: unknown, event: Event) => {
      created.push(event);
      return create(event);
    },
    patch: async (_: unknown, __: unknown, { patch }: { patch: object }) => patches.push(patch),
  } as unknown as KubeClient;
  const clock = new ManualClock();
  return { created, patches, clock, events: new SchedulerEvents({ client, clock, logger: silentLogger }) };
}

describe("what the scheduler tells", () => {
  it("has a time, an action and an instance, as kube-scheduler's has", async () => {
    const { created, events } = recorded();
    events.tell(version("1"), refused);
    await events.drained();
    expect(created).toMatchObject([
      {
        ...refused,
        involvedObject: { kind: "Pod", name: "a", namespace: "shop", resourceVersion: "1" },
        reportingComponent: "default-scheduler",
        reportingInstance: expect.stringMatching(/^default-scheduler-/u),
        eventTime: "2026-01-31T15:04:05.000000Z",
      },
    ]);
    expect(created[0]?.source).toBeUndefined();
  });

  it("becomes a series when it is told again of the same", async () => {
    const { created, patches, events } = recorded();
    for (let count = 0; count < 5; count++) events.tell(version("1"), refused);
    await events.drained();
    expect(created).toHaveLength(1);
    expect(patches).toEqual([{ series: { count: 2, lastObservedTime: "2026-01-31T15:04:05.000000Z" } }]);
  });

  it("is told anew when the Pod has changed, or after a while", async () => {
    const { created, clock, events } = recorded();
    events.tell(version("1"), refused);
    events.tell(version("2"), refused);
    await clock.advance(360_000);
    events.tell(version("2"), refused);
    await events.drained();
    expect(created).toHaveLength(3);
  });

  it("is cut where it is too long", async () => {
    const { created, events } = recorded();
    events.tell(version("1"), { ...refused, message: "x".repeat(2000) });
    await events.drained();
    expect(created[0]?.message).toHaveLength(1024);
    expect(created[0]?.message?.endsWith(" ...")).toBe(true);
  });

  it("is lost without harm when it cannot be told", async () => {
    const { events } = recorded(() => Promise.reject(new Error("the namespace is going")));
    events.tell(version("1"), refused);
    await expect(events.drained()).resolves.toBeUndefined();
  });
});
