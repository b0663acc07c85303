import { MemoryEventRecorder } from "@stowage/kube";
import type { Pod, Taint, Toleration } from "@stowage/machinery";
import { ManualClock } from "@stowage/machinery/testing";
import { beforeEach, describe, expect, it } from "vitest";
import { pod } from "../fixtures/cluster-objects.ts";
import { type EvictionDeps, Evictions } from "./evictions.ts";

const taint: Taint = { key: "broken", effect: "NoExecute" };
const forSeconds = (tolerationSeconds: number): Toleration[] => [
  { key: "broken", operator: "Exists", tolerationSeconds },
];
const marking = "Normal TaintManagerEviction Marking for deletion Pod shop/web";
const cancelling = "Normal TaintManagerEviction Cancelling deletion of Pod shop/web";

let clock: ManualClock;
let recorder: MemoryEventRecorder;
let deleted: string[];
let live: Pod | undefined;
let evictions: Evictions;

beforeEach(() => {
  clock = new ManualClock();
  recorder = new MemoryEventRecorder();
  deleted = [];
  live = undefined;
  const client = {
    find: async () => live,
    patch: async (_type: unknown, _ref: unknown, { patch }: { patch: unknown }) => patch,
    async delete(_type: unknown, { name }: { name: string }) {
      deleted.push(`${name} ${live?.metadata.uid}`);
      return { gone: true };
    },
  } as unknown as EvictionDeps["client"];
  evictions = new Evictions({ client, clock }, recorder);
});

const sync = (each: Pod | undefined, taints?: readonly Taint[]) => {
  live = each;
  return evictions.sync("shop/web", each, taints);
};
const waiting = pod("web", { spec: { tolerations: forSeconds(10) } });

describe("a Pod on a node with a taint", () => {
  it("goes at once when it does not tolerate it, and is deleted once", async () => {
    await sync(pod("web"), [taint]);
    await sync(pod("web"), [taint]);
    expect(deleted).toEqual(["web uid-of-web"]);
    expect(recorder.lines).toEqual([marking]);
  });

  it("goes when its time is over, which other taints do not put off", async () => {
    expect(await sync(waiting, [taint])).toEqual({ requeueAfterMs: 10_000 });
    await clock.advance(4_000);
    expect(await sync(waiting, [taint, { ...taint, value: "more" }])).toEqual({ requeueAfterMs: 6_000 });
    await clock.advance(6_000);
    await sync(waiting, [taint]);
    expect(deleted).toEqual(["web uid-of-web"]);
    expect(recorder.lines).toEqual([marking]);
  });

  it("is spared when the taint goes in time, which is told", async () => {
    await sync(waiting, [taint]);
    await sync(waiting, []);
    await clock.advance(10_000);
    await sync(waiting, []);
    expect(deleted).toEqual([]);
    expect(recorder.lines).toEqual([cancelling]);
  });

  it("goes in time although its node is gone", async () => {
    await sync(waiting, [taint]);
    await clock.advance(10_000);
    await sync(waiting, undefined);
    expect(deleted).toEqual(["web uid-of-web"]);
  });

  it("does not go for another that had its name", async () => {
    await sync(pod("web"), [taint]);
    const next = pod("web", {
      metadata: { name: "web", namespace: "shop", uid: "next" },
      spec: { tolerations: forSeconds(10) },
    });
    expect(await sync(next, [taint])).toEqual({ requeueAfterMs: 10_000 });
    expect(deleted).toEqual(["web uid-of-web"]);
  });
});

it("tells when a Pod that was to go is gone before", async () => {
  await sync(waiting, [taint]);
  await sync(undefined);
  expect(recorder.lines).toEqual([cancelling]);
});
