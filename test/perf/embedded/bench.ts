import { parseArgs } from "node:util";
import { Bars } from "../sidecars/bars.ts";
import { EmbeddedSubject } from "./embedded-subject.ts";
import { type Figures, figureLine, figureLines, medianFigures, type Results } from "./figures.ts";
import { RealSubject } from "./real-subject.ts";
import { measureRound, type RoundOptions } from "./round.ts";
import type { Subject, SubjectName } from "./subject.ts";

const MAXIMUM_READY_SECONDS = 1.5;
/** Ours of the real one's. */
const MAXIMUM_READY_SHARE = 1 / 3;
const MAXIMUM_RSS_SHARE = 1 / 2;

/** The embedded API server beside etcd and kube-apiserver, in turns: the same requests by the same client, and only one runs at a time. */
export async function benchEmbedded(benchArguments: readonly string[]): Promise<boolean> {
  const { values } = parseArgs({
    args: [...benchArguments],
    options: {
      objects: { type: "string", default: "10000" },
      watchers: { type: "string", default: "100" },
      rounds: { type: "string", default: "3" },
      only: { type: "string" },
      "etcd-without-sync": { type: "boolean", default: false },
    },
  });
  if (values.only !== undefined && values.only !== "embedded" && values.only !== "real") {
    throw new Error("--only is embedded or real");
  }
  const interrupted = new AbortController();
  const interrupt = () => interrupted.abort(new Error("the bench was interrupted"));
  process.once("SIGINT", interrupt).once("SIGTERM", interrupt);
  const { signal } = interrupted;
  const round = { objects: Number(values.objects), watchers: Number(values.watchers), signal };
  await using stack = new AsyncDisposableStack();
  const subjects: Subject[] = [];
  if (values.only !== "real") subjects.push(stack.use(await EmbeddedSubject.create(signal)));
  if (values.only !== "embedded") {
    subjects.push(stack.use(await RealSubject.create(signal, !values["etcd-without-sync"])));
  }
  console.log(
    `${round.objects} ConfigMaps of 1 KB, ${round.watchers} watchers, ${values.rounds} rounds; etcd ${values["etcd-without-sync"] ? "does not sync" : "syncs"}`,
  );
  const rounds = await measureRounds(subjects, Number(values.rounds), round);
  // With `--only` there is nothing to compare, so nothing is judged.
  if (values.only !== undefined) return true;
  return judge({ embedded: medianFigures(rounds.embedded), real: medianFigures(rounds.real) });
}

async function measureRounds(subjects: readonly Subject[], count: number, options: RoundOptions) {
  const rounds: Record<SubjectName, Figures[]> = { embedded: [], real: [] };
  // What is started for the first time is bundled, compiled or read from the disk first.
  for (const subject of subjects) {
    await subject.startEmpty();
    await subject.stop();
  }
  for (let round = 1; round <= count; round++) {
    for (const subject of subjects) {
      const figures = await measureRound(subject, options);
      rounds[subject.name].push(figures);
      console.log(`round ${round}  ${subject.name}: ${figureLine(figures)}`);
    }
  }
  return rounds;
}

function judge(results: Results): boolean {
  const { embedded, real } = results;
  console.log(["median", ...figureLines(results)].join("\n"));
  const bars = new Bars();
  for (const [when, name] of [
    ["on an empty directory", "readyEmpty"],
    ["with all objects", "readyFull"],
  ] as const) {
    const bar = Math.min(MAXIMUM_READY_SECONDS, real[name] * MAXIMUM_READY_SHARE);
    bars.atMost(`seconds from start to ready ${when}`, embedded[name], rounded(bar));
  }
  bars.atMost("MiB of RSS with all objects", embedded.rss, rounded(real.rss * MAXIMUM_RSS_SHARE));
  bars.atMost("MiB of RSS after lists and watches", embedded.rssAfter, rounded(real.rssAfter * MAXIMUM_RSS_SHARE));
  bars.atLeast("creates per second, 64 in flight", embedded.creates64, rounded(real.creates64));
  bars.atMost("ms from write to event, p99", embedded.watchP99, rounded(real.watchP99));
  if (!bars.areMet) console.error(`missed: ${bars.missed.join("; ")}`);
  return bars.areMet;
}

/** For those who read it. */
function rounded(limit: number): number {
  return Number(limit.toFixed(2));
}
