import { createWorkQueue } from "@stowage/machinery";
import { ManualClock } from "@stowage/machinery/testing";
import { Registry } from "prom-client";
import { describe, expect, it } from "vitest";
import { addFigure } from "./figure-metrics.ts";
import { leadershipMetrics } from "./leadership-metrics.ts";
import { queueMetrics } from "./queue-metrics.ts";

async function samples(registry: Registry): Promise<string[]> {
  const text = await registry.metrics();
  return text.split("\n").filter((line) => line !== "" && !line.startsWith("#") && !line.includes("_bucket"));
}

function measuredQueues(...names: string[]) {
  const clock = new ManualClock();
  const registry = new Registry();
  const metrics = queueMetrics(registry);
  const queues = names.map((name) => {
    const queue = createWorkQueue({ clock, observer: metrics.observer(name) });
    metrics.follow(name, queue);
    return queue;
  });
  return { clock, registry, queues };
}

describe("the metrics of a queue", () => {
  it("have the names that dashboards know, and two more", async () => {
    const { clock, registry, queues } = measuredQueues("claims");
    const [queue] = queues;
    queue?.add("a");
    queue?.add("b");
    await clock.advance(2000);
    await queue?.take();
    queue?.retryAfter("c", 5000);
    await clock.advance(1000);
    expect(await samples(registry)).toEqual([
      'workqueue_adds_total{name="claims"} 2',
      'workqueue_retries_total{name="claims"} 1',
      'workqueue_queue_duration_seconds_sum{name="claims"} 2',
      'workqueue_queue_duration_seconds_count{name="claims"} 1',
      'workqueue_depth{name="claims"} 1',
      'workqueue_unfinished_work_seconds{name="claims"} 1',
      'workqueue_longest_running_processor_seconds{name="claims"} 1',
      'stowage_workqueue_backlog{name="claims"} 3',
      'stowage_workqueue_oldest_item_age_seconds{name="claims"} 3',
    ]);
    queue?.done("a");
    expect(await samples(registry)).toContain('workqueue_work_duration_seconds_sum{name="claims"} 1');
  });

  it("have the buckets of the originals", async () => {
    const { clock, registry, queues } = measuredQueues("claims");
    queues[0]?.add("a");
    await clock.advance(5);
    await queues[0]?.take();
    const text = await registry.metrics();
    const bounds = [...text.matchAll(/workqueue_queue_duration_seconds_bucket\{le="([^"]+)"/gu)].map(([, bound]) =>
      Number(bound),
    );
    expect(bounds.slice(0, -1)).toEqual([1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1, 10, 100, 1000]);
  });

  it("are counted together for queues of one name", async () => {
    const { clock, registry, queues } = measuredQueues("driver-pvc", "driver-pvc");
    queues[0]?.add("a");
    await clock.advance(3000);
    queues[1]?.add("a");
    queues[1]?.add("b");
    await queues[1]?.take();
    const found = await samples(registry);
    expect(found).toContain('workqueue_adds_total{name="driver-pvc"} 3');
    expect(found).toContain('workqueue_depth{name="driver-pvc"} 2');
    expect(found).toContain('stowage_workqueue_backlog{name="driver-pvc"} 3');
    expect(found).toContain('stowage_workqueue_oldest_item_age_seconds{name="driver-pvc"} 3');
  });
});

it("the metric of leadership is 1 while this process leads", async () => {
  const registry = new Registry();
  const leadership = leadershipMetrics(registry);
  leadership.set("lease", true);
  expect(await samples(registry)).toEqual(['leader_election_master_status{name="lease"} 1']);
  leadership.set("lease", false);
  expect(await samples(registry)).toEqual(['leader_election_master_status{name="lease"} 0']);
});

it("a figure of an operator is read when it is asked for, and missing while it is not known", async () => {
  const registry = new Registry();
  let value: number | undefined;
  addFigure(registry, { name: "classes", help: "How many", value: () => value });
  expect(await samples(registry)).toEqual([]);
  value = 2;
  expect(await samples(registry)).toEqual(["classes 2"]);
  value = undefined;
  expect(await samples(registry)).toEqual([]);
});

it("figures of several things are told apart by a label, and go with what they are of", async () => {
  const registry = new Registry();
  let values: ReadonlyMap<string, number> | undefined;
  addFigure(registry, { name: "classes", help: "How many", label: "driver", values: async () => values });
  expect(await samples(registry)).toEqual([]);
  values = new Map([
    ["a", 1],
    ["b", 0],
  ]);
  expect(await samples(registry)).toEqual(['classes{driver="a"} 1', 'classes{driver="b"} 0']);
  values = new Map([["b", 1]]);
  expect(await samples(registry)).toEqual(['classes{driver="b"} 1']);
});

it("figures may be told apart by several labels, and those that are not there any more go", async () => {
  const registry = new Registry();
  let rows = [{ labels: { reason: "old", condition: "blocked" }, value: 1 }];
  addFigure(registry, { name: "errors", help: "Why", labels: ["reason", "condition"], rows: () => rows });
  expect(await samples(registry)).toEqual(['errors{reason="old",condition="blocked"} 1']);
  rows = [];
  expect(await samples(registry)).toEqual([]);
});
