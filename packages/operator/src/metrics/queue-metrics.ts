import type { QueueMetrics } from "@stowage/kube";
import type { WorkQueue } from "@stowage/machinery";
import { Counter, Gauge, Histogram, type Registry } from "prom-client";

// As the originals have them: powers of ten from 10 ns.
const DURATION_BUCKETS_SECONDS = [1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1, 10, 100, 1000];

export function queueMetrics(registry: Registry): QueueMetrics {
  const registers = [registry];
  const labelNames = ["name"] as const;
  const counter = (name: string, help: string) => new Counter({ name, help, labelNames, registers });
  const histogram = (name: string, help: string) =>
    new Histogram({ name, help, labelNames, registers, buckets: DURATION_BUCKETS_SECONDS });
  const adds = counter("workqueue_adds_total", "Keys added to the queue");
  const retries = counter("workqueue_retries_total", "Keys put back after a failure");
  const waited = histogram("workqueue_queue_duration_seconds", "How long keys waited before they were worked on");
  const worked = histogram("workqueue_work_duration_seconds", "How long the work on a key took");
  const queues = new Map<string, WorkQueue[]>();
  followQueues(registry, queues);
  return {
    observer: (name) => ({
      added: () => adds.inc({ name }),
      retried: () => retries.inc({ name }),
      started: (waitedMs) => waited.observe({ name }, waitedMs / 1000),
      finished: (workedMs) => worked.observe({ name }, workedMs / 1000),
    }),
    follow: (name, queue) => void queues.set(name, [...(queues.get(name) ?? []), queue]),
  };
}

/** What is true at the moment is read when it is asked for: keeping it up to date in between would be work for nobody. */
function followQueues(registry: Registry, queues: ReadonlyMap<string, readonly WorkQueue[]>): void {
  const gauge = (name: string, help: string, valueOf: (queues: readonly WorkQueue[]) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ["name"],
      registers: [registry],
      collect() {
        for (const [queueName, ofName] of queues) this.set({ name: queueName }, valueOf(ofName));
      },
    });
  const running = (ofName: readonly WorkQueue[]) => ofName.flatMap((queue) => queue.runningMs());
  gauge("workqueue_depth", "Keys that are ready to be worked on", (ofName) => sum(ofName.map(({ size }) => size)));
  gauge("workqueue_unfinished_work_seconds", "How long the work under way has taken so far, added up", (ofName) =>
    sum(running(ofName).map((ms) => ms / 1000)),
  );
  gauge("workqueue_longest_running_processor_seconds", "How long the longest work under way has taken", (ofName) =>
    Math.max(0, ...running(ofName).map((ms) => ms / 1000)),
  );
  gauge(
    "stowage_workqueue_backlog",
    "Keys that are not done: ready, under way, or waiting for their next try",
    (ofName) => sum(ofName.map(({ size, delayed }) => size + delayed)) + running(ofName).length,
  );
  gauge("stowage_workqueue_oldest_item_age_seconds", "How long the longest waiting ready key has waited", (ofName) =>
    Math.max(0, ...ofName.map((queue) => queue.oldestAgeMs() / 1000)),
  );
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
