import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type FloodServer, startFloodServer } from "./flood-server-process.ts";
import type { Measurement } from "./subject.ts";
import { runSubject, type SubjectName } from "./subject-process.ts";

/** The bars: ours against client-node's. */
const MINIMUM_SPEED_RATIO = 2.5;
const MAXIMUM_HEAP_RATIO = 0.5;
const MAXIMUM_RSS_RATIO = 0.5;

const NAMES: readonly SubjectName[] = ["stowage", "client-node"];

interface Figures extends Measurement {
  readonly rssBytes: number;
}

/** Our informer beside client-node's, on the same server, in turns, each turn in a fresh process. */
export async function benchInformer(benchArguments: readonly string[]): Promise<boolean> {
  const { values } = parseArgs({
    args: [...benchArguments],
    options: {
      volumes: { type: "string", default: "10000" },
      events: { type: "string", default: "200000" },
      rounds: { type: "string", default: "3" },
    },
  });
  const [volumes, events, rounds] = [Number(values.volumes), Number(values.events), Number(values.rounds)];
  const folder = await mkdtemp(join(tmpdir(), "stowage-bench-"));
  const results: Record<SubjectName, Figures[]> = { stowage: [], "client-node": [] };
  try {
    await using server = await startFloodServer(folder, volumes);
    const measured = (name: SubjectName, env?: Record<string, string>) =>
      figuresOf(name, server, { volumes, events, env });
    console.log(`${volumes} volumes, ${events} updates, ${rounds} rounds (and one before, to fill caches)`);
    for (const name of NAMES) await measured(name);
    for (let round = 1; round <= rounds; round++) {
      for (const name of NAMES) {
        const figures = await measured(name);
        results[name].push(figures);
        console.log(`round ${round}  ${describe(name, figures)}`);
      }
    }
    const decoding = await measured("stowage", { BENCH_DECODE_ALL: "1" });
    console.log(`for information, with a handler that reads every version: ${describe("stowage", decoding)}`);
  } finally {
    await rm(folder, { recursive: true });
  }
  return judge(results);
}

async function figuresOf(
  name: SubjectName,
  server: FloodServer,
  { volumes, events, env }: { volumes: number; events: number; env?: Record<string, string> },
): Promise<Figures> {
  const task = {
    server: server.url,
    caFile: server.caFile,
    volumes,
    events,
    warmUpEvents: Math.max(volumes, events / 10),
  };
  // The memory is that of a plain process: the flag which lets the other one collect its garbage changes it.
  const { rssBytes } = await runSubject<{ rssBytes: number }>(name, server, { task: { ...task, importOnly: true } });
  const measurement = await runSubject<Measurement>(name, server, { task, env, exposeGc: true });
  return { ...measurement, rssBytes };
}

function judge(results: Record<SubjectName, Figures[]>): boolean {
  const ours = medianOf(results.stowage);
  const theirs = medianOf(results["client-node"]);
  console.log(`median   ${describe("stowage", ours)}\nmedian   ${describe("client-node", theirs)}`);
  const bars = [
    holds("watch events per second", ours.eventsPerSecond / theirs.eventsPerSecond, { atLeast: MINIMUM_SPEED_RATIO }),
    holds("heap per cached volume", ours.heapPerVolumeBytes / theirs.heapPerVolumeBytes, {
      atMost: MAXIMUM_HEAP_RATIO,
    }),
    holds("RSS after import", ours.rssBytes / theirs.rssBytes, { atMost: MAXIMUM_RSS_RATIO }),
  ];
  return bars.every((bar) => bar);
}

function holds(what: string, ratio: number, limit: { atLeast?: number; atMost?: number }): boolean {
  const { atLeast = Number.NEGATIVE_INFINITY, atMost = Number.POSITIVE_INFINITY } = limit;
  const isMet = ratio >= atLeast && ratio <= atMost;
  const wanted = limit.atLeast === undefined ? `at most ${atMost}` : `at least ${atLeast}`;
  console.log(`${isMet ? "ok    " : "MISSED"} ${what}: ratio ${ratio.toFixed(3)}, ${wanted}`);
  return isMet;
}

function describe(name: string, { eventsPerSecond, cpuMicrosPerEvent, heapPerVolumeBytes, rssBytes }: Figures): string {
  const figures = [
    `${Math.round(eventsPerSecond)} events/s`,
    `${cpuMicrosPerEvent.toFixed(1)} µs CPU/event`,
    `${(heapPerVolumeBytes / 1024).toFixed(2)} KiB heap/volume`,
    `${(rssBytes / 2 ** 20).toFixed(1)} MiB RSS after import`,
  ];
  return `${name.padEnd(12)} ${figures.join(", ")}`;
}

function medianOf(all: readonly Figures[]): Figures {
  const median = (pick: (figures: Figures) => number) => {
    const sorted = all.map(pick).sort((a, b) => a - b);
    return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  };
  return {
    eventsPerSecond: median((figures) => figures.eventsPerSecond),
    cpuMicrosPerEvent: median((figures) => figures.cpuMicrosPerEvent),
    heapPerVolumeBytes: median((figures) => figures.heapPerVolumeBytes),
    rssBytes: median((figures) => figures.rssBytes),
  };
}
