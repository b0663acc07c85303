import { setTimeout } from "node:timers/promises";
import { createInformerFactory, type KubeClient } from "@stowage/kube";
import { type Clock, clusterOperators, systemClock } from "@stowage/machinery";
import { describe, expect, it, onTestFinished } from "vitest";
import { refusal } from "../testing/index.ts";
import { optionalInformer } from "./optional-informer.ts";

/** Sleeps for a moment instead of seconds. */
const hastyClock: Clock = { ...systemClock, sleep: (_, signal) => systemClock.sleep(1, signal) };

/** An API that discovery names all the time, whether it is there or not. */
function serve(appearanceMs: number) {
  const api = { isThere: false, watches: 0 };
  const client: Pick<KubeClient, "watch" | "listAll" | "server"> = {
    server: "a test",
    async watch(_type, { signal, sendInitialEvents }) {
      api.watches += 1;
      if (!api.isThere) throw refusal(404, "NotFound");
      if (sendInitialEvents) throw refusal(422, "Invalid");
      await setTimeout(60_000, undefined, { signal }).catch(() => {});
    },
    listAll: async () => ({ resourceVersion: "1", items: [] }),
  };
  const informers = createInformerFactory({ client, clock: hastyClock });
  const stop = new AbortController();
  const stopped = informers.run(stop.signal);
  onTestFinished(async () => {
    stop.abort();
    await stopped;
  });
  const mapper = { has: async () => true };
  return { api, optional: optionalInformer({ mapper, informers, appearanceMs }, { type: clusterOperators }) };
}

describe("an API that discovery names and that is not there", () => {
  it("keeps nobody from starting, counts as not served, and is found when it is back", async () => {
    const { api, optional } = serve(20);
    const { signal } = new AbortController();
    await optional.waitForSync(signal);
    expect(await optional.objects(signal)).toBeUndefined();
    api.isThere = true;
    await expect.poll(() => optional.objects(signal)).toBeDefined();
  });

  it("is waited for when it was made a moment ago", async () => {
    const { api, optional } = serve(60_000);
    const found = optional.objects(new AbortController().signal);
    await expect.poll(() => api.watches).toBeGreaterThan(0);
    api.isThere = true;
    expect(await found).toBeDefined();
  });
});
