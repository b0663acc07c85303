import { Gauge, type Registry } from "prom-client";

/** One figure of an operator's own, for alerts. */
export interface Figure {
  readonly name: string;
  readonly help: string;
  /** Read when it is asked for; undefined while it is not known, and then the figure is not there. */
  value(): number | undefined;
}

/** One figure for each of several things, which a label tells apart. */
export interface FigureFamily {
  readonly name: string;
  readonly help: string;
  readonly label: string;
  /** By the value of the label; likewise. Those that are missing are not there any more. */
  values(): Promise<ReadonlyMap<string, number> | undefined>;
}

/** Figures that several labels tell apart. */
export interface FigureTable {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
  /** Those that are there. */
  rows(): readonly FigureRow[];
}

export interface FigureRow {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export function addFigure(registry: Registry, figure: Figure | FigureFamily | FigureTable): void {
  registry.registerMetric(gaugeOf(figure));
}

function gaugeOf(figure: Figure | FigureFamily | FigureTable): Gauge {
  if ("rows" in figure) return tableGauge(figure);
  return "label" in figure ? familyGauge(figure) : singleGauge(figure);
}

function singleGauge({ name, help, value }: Figure): Gauge {
  return new Gauge({
    name,
    help,
    registers: [],
    collect() {
      const now = value();
      if (now === undefined) this.remove();
      else this.set(now);
    },
  });
}

function familyGauge({ name, help, label, values }: FigureFamily): Gauge {
  return new Gauge({
    name,
    help,
    labelNames: [label],
    registers: [],
    async collect() {
      const now = await values();
      this.reset();
      for (const [key, value] of now ?? []) this.set({ [label]: key }, value);
    },
  });
}

function tableGauge({ name, help, labels, rows }: FigureTable): Gauge {
  return new Gauge({
    name,
    help,
    labelNames: [...labels],
    registers: [],
    collect() {
      this.reset();
      for (const { labels: told, value } of rows()) this.set(told, value);
    },
  });
}
