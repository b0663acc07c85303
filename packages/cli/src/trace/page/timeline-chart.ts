import type { Step, Timeline } from "../step.ts";
import { offsetText, spanText } from "../times.ts";
import { type ChartLayout, chartLayout, type PlacedStep } from "./chart-layout.ts";
import { element, escaped } from "./markup.ts";

const WIDTH = 1000;
const LABELS = 210;
const RIGHT = 20;
const TOP = 30;
const LANE = 26;
const BAR = 14;
/** Fewer pixels apart, two times would run into each other. */
const BETWEEN_TICKS = 64;
const LONGEST_LABEL = 30;

/** A lane for each actor; what took time is a bar, the rest a dot, and each leads to its row of the table. */
export function timelineChart({ steps, startedMs, subject }: Timeline): string {
  const layout = chartLayout(steps, { left: LABELS, right: WIDTH - RIGHT });
  const height = TOP + layout.lanes.length * LANE + 10;
  return element(
    "svg",
    { xmlns: "http://www.w3.org/2000/svg", viewBox: `0 0 ${WIDTH} ${height}`, role: "img" },
    element("title", {}, escaped(`Time line of ${subject}`)),
    ...layout.lanes.map(laneRow),
    ...ticks(layout, { startedMs, height }),
    ...layout.placed.map((each) => mark(each, startedMs)),
  );
}

function laneRow(actor: string, lane: number): string {
  const y = TOP + lane * LANE;
  const label = actor.length > LONGEST_LABEL ? `${actor.slice(0, LONGEST_LABEL - 1)}…` : actor;
  return (
    element("rect", { class: lane % 2 === 0 ? "lane" : "lane odd", x: 0, y, width: WIDTH, height: LANE }) +
    element("text", { class: "who", x: 8, y: y + LANE / 2 + 4 }, escaped(label))
  );
}

function ticks({ placed }: ChartLayout, { startedMs, height }: { startedMs: number; height: number }): string[] {
  let lastX = -BETWEEN_TICKS;
  return placed.flatMap(({ step, x }) => {
    if (step.kind === "waiting" || x - lastX < BETWEEN_TICKS || x > WIDTH - BETWEEN_TICKS) return [];
    lastX = x;
    return [
      element("line", { class: "tick", x1: px(x), x2: px(x), y1: TOP - 8, y2: height - 10 }),
      element("text", { class: "time", x: px(x), y: TOP - 12 }, escaped(offsetText(step, startedMs))),
    ];
  });
}

function mark({ step, index, lane, x, endX }: PlacedStep, startedMs: number): string {
  const middle = TOP + lane * LANE + LANE / 2;
  const title = element("title", {}, escaped(titleOf(step, startedMs)));
  const name = classOf(step);
  const shape =
    step.durationMs === undefined
      ? element("circle", { class: name, cx: px(x), cy: middle, r: 5 }, title)
      : element(
          "rect",
          { class: name, x: px(x), y: middle - BAR / 2, width: px(Math.max(endX - x, 3)), height: BAR, rx: 3 },
          title,
        );
  return element("a", { href: `#step-${index + 1}` }, shape);
}

/** Of its kind and whether it went well, for the style. */
export function classOf({ kind, isTrouble }: Step): string {
  return isTrouble ? `${kind} trouble` : kind;
}

function titleOf(step: Step, startedMs: number): string {
  const took = step.durationMs === undefined ? "" : `, took ${spanText(step.durationMs)}`;
  return `${offsetText(step, startedMs)}${took}: ${step.actor}: ${step.says}`;
}

function px(x: number): string {
  return x.toFixed(1);
}
