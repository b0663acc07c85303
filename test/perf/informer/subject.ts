import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";

/** One informer under measurement, in a process of its own. */
export interface Subject {
  /** Starts the informer; resolves when it holds all volumes. `onChange` is called for every update after that. */
  start(options: { server: string; caFile: string; onChange: () => void }): Promise<{ count(): number }>;
}

export interface Measurement {
  readonly rssAfterImportBytes: number;
  readonly heapPerVolumeBytes: number;
  readonly eventsPerSecond: number;
  /** Of all threads of the process, for the events alone. */
  readonly cpuMicrosPerEvent: number;
}

const settledHeapBytes = async () => {
  for (let round = 0; round < 3; round++) {
    globalThis.gc?.();
    await sleep(50);
  }
  return process.memoryUsage().heapUsed;
};

/**
 * Measures what `load` brings and hands the figures to the parent process, which also passes the wish for a flood on to the server:
 * this process does nothing but read. `load` imports the library: its cost is measured.
 */
export async function measure(load: () => Promise<Subject>): Promise<void> {
  const [server = "", caFile = "", volumesText = "", eventsText = "", warmUpText = ""] = process.argv.slice(2);
  const [volumes, events, warmUp] = [Number(volumesText), Number(eventsText), Number(warmUpText)];
  const subject = await load();
  globalThis.gc?.();
  await sleep(100);
  const rssAfterImportBytes = process.memoryUsage().rss;

  const heapBeforeBytes = await settledHeapBytes();
  let seen = 0;
  let target = 0;
  let finished = Promise.withResolvers<void>();
  const cache = await subject.start({
    server,
    caFile,
    onChange: () => {
      seen++;
      if (seen === target) finished.resolve();
    },
  });
  if (cache.count() !== volumes) throw new Error(`holds ${cache.count()} volumes, not ${volumes}`);
  const heapPerVolumeBytes = ((await settledHeapBytes()) - heapBeforeBytes) / volumes;

  // From the request for the flood to the last event seen: a reader that takes everything in and works it off later gains nothing.
  const secondsFor = async (count: number) => {
    seen = 0;
    target = count;
    finished = Promise.withResolvers();
    await parent("prepare", count);
    const startedMs = performance.now();
    await parent("flood", count);
    await finished.promise;
    return (performance.now() - startedMs) / 1000;
  };
  await secondsFor(warmUp);
  const cpuBefore = process.cpuUsage();
  const eventsPerSecond = events / (await secondsFor(events));
  const cpu = process.cpuUsage(cpuBefore);
  const cpuMicrosPerEvent = (cpu.user + cpu.system) / events;
  process.send?.({ rssAfterImportBytes, heapPerVolumeBytes, eventsPerSecond, cpuMicrosPerEvent } satisfies Measurement);
  process.disconnect();
  process.exit(0);
}

/** Asks the parent process for something; resolves when it says that it is under way. */
async function parent(ask: "prepare" | "flood", events: number): Promise<void> {
  process.send?.({ ask, events });
  await once(process, "message");
}
