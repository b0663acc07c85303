import { type ChildProcess, execFileSync, fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { get } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Measurement } from "./subject.ts";

/** The bars: ours against client-node's. */
const MINIMUM_SPEED_RATIO = 2.5;
const MAXIMUM_HEAP_RATIO = 0.5;
const MAXIMUM_RSS_RATIO = 0.5;

const SUBJECTS = { stowage: "./subject-stowage.ts", "client-node": "./subject-client-node.ts" } as const;
type SubjectName = keyof typeof SUBJECTS;

/** Our informer beside client-node's, on the same server, in turns, each turn in a fresh process. */
export async function benchInformer(benchArguments: readonly string[]): Promise<boolean> {
  const { values } = parseArgs({
    args: [...benchArguments],
    options: {
      volumes: { type: "string", default: "10000" },
      events: { type: "string", default: "60000" },
      rounds: { type: "string", default: "3" },
    },
  });
  const folder = await mkdtemp(join(tmpdir(), "stowage-bench-"));
  const results: Record<SubjectName, Measurement[]> = { stowage: [], "client-node": [] };
  try {
    await using server = await startServer(folder, values.volumes);
    for (let round = 0; round < Number(values.rounds); round++) {
      for (const name of ["stowage", "client-node"] as const) {
        const measurement = await runSubject(name, server, values);
        results[name].push(measurement);
        console.log(`round ${round + 1}  ${describe(name, measurement)}`);
      }
    }
  } finally {
    await rm(folder, { recursive: true });
  }
  return judge(results);
}

function judge(results: Record<SubjectName, Measurement[]>): boolean {
  const ours = medianOf(results.stowage);
  const theirs = medianOf(results["client-node"]);
  console.log(`median   ${describe("stowage", ours)}\nmedian   ${describe("client-node", theirs)}`);
  const ratios = [
    bar("watch events per second", ours.eventsPerSecond / theirs.eventsPerSecond, { atLeast: MINIMUM_SPEED_RATIO }),
    bar("heap per cached volume", ours.heapPerVolumeBytes / theirs.heapPerVolumeBytes, { atMost: MAXIMUM_HEAP_RATIO }),
    bar("RSS after import", ours.rssAfterImportBytes / theirs.rssAfterImportBytes, { atMost: MAXIMUM_RSS_RATIO }),
  ];
  return ratios.every((holds) => holds);
}

function bar(what: string, ratio: number, limit: { atLeast?: number; atMost?: number }): boolean {
  const { atLeast = Number.NEGATIVE_INFINITY, atMost = Number.POSITIVE_INFINITY } = limit;
  const holds = ratio >= atLeast && ratio <= atMost;
  const wanted = limit.atLeast === undefined ? `at most ${atMost}` : `at least ${atLeast}`;
  console.log(`${holds ? "ok    " : "MISSED"} ${what}: ratio ${ratio.toFixed(2)}, ${wanted}`);
  return holds;
}

function describe(name: string, measurement: Measurement): string {
  const { eventsPerSecond, cpuMicrosPerEvent, heapPerVolumeBytes, rssAfterImportBytes } = measurement;
  const figures = [
    `${Math.round(eventsPerSecond)} events/s`,
    `${cpuMicrosPerEvent.toFixed(1)} µs CPU/event`,
    `${(heapPerVolumeBytes / 1024).toFixed(2)} KiB heap/volume`,
    `${(rssAfterImportBytes / 2 ** 20).toFixed(0)} MiB RSS after import`,
  ];
  return `${name.padEnd(12)} ${figures.join(", ")}`;
}

function medianOf(measurements: readonly Measurement[]): Measurement {
  const median = (pick: (measurement: Measurement) => number) => {
    const sorted = measurements.map(pick).sort((a, b) => a - b);
    return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  };
  return {
    eventsPerSecond: median((m) => m.eventsPerSecond),
    cpuMicrosPerEvent: median((m) => m.cpuMicrosPerEvent),
    heapPerVolumeBytes: median((m) => m.heapPerVolumeBytes),
    rssAfterImportBytes: median((m) => m.rssAfterImportBytes),
  };
}

interface FloodServer extends AsyncDisposable {
  readonly url: string;
  readonly caFile: string;
  /** Makes the events ready. */
  prepare(events: number): Promise<void>;
  /** Starts to send them; resolves at once. */
  flood(): Promise<void>;
}

async function startServer(folder: string, volumes: string): Promise<FloodServer> {
  const [certificate, key] = [join(folder, "server.crt"), join(folder, "server.key")];
  execFileSync(
    "openssl",
    "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 1 -subj /CN=bench -addext subjectAltName=IP:127.0.0.1"
      .split(" ")
      .concat("-keyout", key, "-out", certificate),
    { stdio: "ignore" },
  );
  const child = fork(new URL("./flood-server.ts", import.meta.url), [volumes, certificate, key]);
  const [{ port }] = (await once(child, "message")) as [{ port: number }];
  const url = `https://127.0.0.1:${port}`;
  const ca = readFileSync(certificate);
  return {
    url,
    caFile: certificate,
    prepare: async (events) => {
      const [response] = await once(get(`${url}/prepare?events=${events}`, { ca }), "response");
      response.resume();
    },
    flood: async () => void get(`${url}/flood`, { ca }, (response) => response.resume()),
    [Symbol.asyncDispose]: () => stop(child),
  };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.disconnect();
  await once(child, "exit");
}

async function runSubject(
  name: SubjectName,
  server: FloodServer,
  values: { volumes: string; events: string },
): Promise<Measurement> {
  const warmUpEvents = String(Math.ceil(Number(values.events) / 10));
  const subjectArguments = [server.url, server.caFile, values.volumes, values.events, warmUpEvents];
  const child = fork(new URL(SUBJECTS[name], import.meta.url), subjectArguments, { execArgv: ["--expose-gc"] });
  return new Promise((resolve, reject) => {
    child.on("message", (message: Measurement | { ask: "prepare" | "flood"; events: number }) => {
      if ("ask" in message) void server[message.ask](message.events).then(() => child.send("done"));
      else resolve(message);
    });
    child.on("error", reject);
    child.on("exit", (code) => reject(new Error(`${name} ended with ${code} and no measurement`)));
  });
}
