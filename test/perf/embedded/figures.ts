import type { SubjectName } from "./subject.ts";

/** What is measured of each server, in the order of the table. */
export const figureTable = {
  readyEmpty: { title: "start to ready, empty", unit: "s", better: "less" },
  readyFull: { title: "start to ready, all objects there", unit: "s", better: "less" },
  creates1: { title: "creates, 1 in flight", unit: "/s", better: "more" },
  creates8: { title: "creates, 8 in flight", unit: "/s", better: "more" },
  creates64: { title: "creates, 64 in flight", unit: "/s", better: "more" },
  updates: { title: "updates, 8 in flight", unit: "/s", better: "more" },
  applies: { title: "server-side applies, 8 in flight", unit: "/s", better: "more" },
  gets: { title: "gets, 8 in flight", unit: "/s", better: "more" },
  listWhole: { title: "list of all objects, whole", unit: "ms", better: "less" },
  listChunked: { title: "list of all objects, by 500", unit: "ms", better: "less" },
  listMetadata: { title: "list of all objects, metadata", unit: "ms", better: "less" },
  listTable: { title: "list of all objects, Table", unit: "ms", better: "less" },
  watchP50: { title: "write to event at each watcher, p50", unit: "ms", better: "less" },
  watchP99: { title: "write to event at each watcher, p99", unit: "ms", better: "less" },
  rss: { title: "RSS with all objects", unit: "MiB", better: "less" },
  rssAfter: { title: "RSS after lists and watches", unit: "MiB", better: "less" },
} as const satisfies Readonly<Record<string, FigureType>>;

interface FigureType {
  readonly title: string;
  readonly unit: string;
  readonly better: "less" | "more";
}

export type FigureName = keyof typeof figureTable;
export type Figures = Readonly<Record<FigureName, number>>;
export type Results = Readonly<Record<SubjectName, Figures>>;

const figureNames = Object.keys(figureTable) as FigureName[];

/** Of each figure by itself. */
export function medianFigures(rounds: readonly Figures[]): Figures {
  const median = (name: FigureName) => {
    const sorted = rounds.map((figures) => figures[name]).toSorted((a, b) => a - b);
    return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  };
  return Object.fromEntries(figureNames.map((name) => [name, median(name)])) as Record<FigureName, number>;
}

/** Both side by side; a ratio above 1 means that the embedded one is the better. */
export function figureLines({ embedded, real }: Results): string[] {
  const rows = figureNames.map((name) => {
    const { title, unit, better } = figureTable[name];
    const [ours, theirs] = [embedded[name], real[name]];
    const times = better === "more" ? ours / theirs : theirs / ours;
    return [title, `${shown(ours)} ${unit}`, `${shown(theirs)} ${unit}`, times.toFixed(2)] as const;
  });
  const head = ["", "embedded", "etcd + kube-apiserver", "times better"] as const;
  return [head, ...rows].map(
    ([title, ours, theirs, times]) =>
      `${title.padEnd(38)}${ours.padStart(14)}${theirs.padStart(24)}${times.padStart(14)}`,
  );
}

export function figureLine(figures: Figures): string {
  return figureNames.map((name) => `${name} ${shown(figures[name])}`).join(", ");
}

function shown(value: number): string {
  return value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0);
}
