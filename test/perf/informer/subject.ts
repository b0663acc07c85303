import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";

/** One informer under measurement, in a process of its own. */
export interface Subject {
  /** Starts the informer; resolves when it holds all volumes. `onChange` is called for every update after that. */
  start(options: { server: string; caFile: string; onChange: () => void }): Promise<Cache>;
}

export interface Cache {
  count(): number;
  /** Reads every volume, whole. */
  readAll(): readonly { readonly metadata?: { readonly resourceVersion?: string }; readonly spec?: unknown }[];
}

export interface Measurement {
  readonly heapPerVolumeBytes: number;
  readonly eventsPerSecond: number;
  /** Of all threads of the process, for the events alone. */
  readonly cpuMicrosPerEvent: number;
}

/** What a process of `measure` is started with. */
export interface Task {
  /** Report the memory after the import, and nothing else. */
  readonly importOnly?: boolean;
  readonly server: string;
  readonly caFile: string;
  readonly volumes: number;
  readonly events: number;
  readonly warmUpEvents: number;
}

/**
 * Measures what `load` brings, whose import is part of what is measured, and hands the figures to the parent process. That also
 * passes the wish for a flood on to the server: this process does nothing but read.
 */
export async function measure(load: () => Promise<Subject>): Promise<void> {
  const task = JSON.parse(process.argv[2] ?? "{}") as Task;
  const subject = await load();
  const report = task.importOnly ? { rssBytes: process.memoryUsage().rss } : await measureInformer(subject, task);
  process.send?.(report);
  process.disconnect();
  process.exit(0);
}

async function measureInformer(subject: Subject, task: Task): Promise<Measurement> {
  const heapBeforeBytes = await settledHeapBytes();
  let seen = 0;
  let target = 0;
  let finished = Promise.withResolvers<void>();
  const onChange = () => {
    seen++;
    if (seen === target) finished.resolve();
  };
  const cache = await subject.start({ ...task, onChange });
  if (cache.count() !== task.volumes) throw new Error(`holds ${cache.count()} volumes, not ${task.volumes}`);
  const heapPerVolumeBytes = ((await settledHeapBytes()) - heapBeforeBytes) / task.volumes;

  // From the request for the flood until all events are in and every volume was read: a reader that takes everything in and works
  // it off later, or does not decode what nobody reads, has that counted.
  const secondsFor = async (events: number) => {
    seen = 0;
    target = events;
    finished = Promise.withResolvers();
    await parent("prepare", events);
    const cpuBefore = process.cpuUsage();
    const startedMs = performance.now();
    await parent("flood", events);
    await finished.promise;
    const oldest = Math.min(...cache.readAll().map(oneVersion));
    const seconds = (performance.now() - startedMs) / 1000;
    const cpu = process.cpuUsage(cpuBefore);
    return { seconds, oldest, cpuMicros: cpu.user + cpu.system };
  };
  const warmUp = await secondsFor(task.warmUpEvents);
  const { seconds, oldest, cpuMicros } = await secondsFor(task.events);
  if (oldest <= warmUp.oldest) throw new Error("a volume was not updated by the flood");
  return { heapPerVolumeBytes, eventsPerSecond: task.events / seconds, cpuMicrosPerEvent: cpuMicros / task.events };
}

function oneVersion({ metadata, spec }: ReturnType<Cache["readAll"]>[number]): number {
  if (spec === undefined) throw new Error("a volume came without its spec");
  return Number(metadata?.resourceVersion);
}

async function settledHeapBytes(): Promise<number> {
  for (let round = 0; round < 3; round++) {
    globalThis.gc?.();
    await sleep(50);
  }
  return process.memoryUsage().heapUsed;
}

/** Asks the parent process for something; resolves when it says that it is under way. */
async function parent(ask: "prepare" | "flood", events: number): Promise<void> {
  process.send?.({ ask, events });
  await once(process, "message");
}
