import { createHash } from "node:crypto";
import type { CallTotal, Step, Timeline } from "../step.ts";
import { clockText, offsetText, spanText } from "../times.ts";
import { element, escaped } from "./markup.ts";
import { pageStyle } from "./page-style.ts";
import { classOf, timelineChart } from "./timeline-chart.ts";

/** One file that needs nothing else: no script, and nothing that is loaded from anywhere. */
export function timelinePage(timeline: Timeline): string {
  const { subject, state, startedMs, totals, unread } = timeline;
  const since = state === "gone" ? "first known of" : "created";
  const body = [
    element("h1", {}, escaped(subject)),
    element("p", { class: "faint" }, escaped(`${state}, ${since} ${clockText(startedMs)}`)),
    timelineChart(timeline),
    element("p", { class: "faint" }, escaped(LEGEND)),
    stepTable(timeline),
    ...totalTable(totals),
    ...unreadList(unread),
  ];
  const page = element("html", { lang: "en" }, head(subject), element("body", {}, "\n", body.join("\n"), "\n"));
  return `<!doctype html>\n${page}\n`;
}

const LEGEND =
  "A bar took time, a dot is a moment, a pale bar is time in which nothing happened, in the lane of who was waited for; red is trouble. " +
  "Long times are drawn shorter than they were. Times without a fraction are known to the second only.";

/** The policy lets this very style in and nothing else, should anything of the cluster's words ever pass for markup. */
function head(subject: string): string {
  const hash = createHash("sha256").update(pageStyle).digest("base64");
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
  return element(
    "head",
    {},
    element("meta", { charset: "utf-8" }),
    element("meta", { "http-equiv": "Content-Security-Policy", content: policy }),
    element("meta", { name: "viewport", content: "width=device-width, initial-scale=1" }),
    element("title", {}, escaped(`Time line of ${subject}`)),
    // Not escaped: its hash is in the policy, and nothing of the cluster is in it.
    element("style", {}, pageStyle),
  );
}

function stepTable({ steps, startedMs }: Timeline): string {
  const rows = steps.map((step, index) => stepRow(step, { startedMs, index }));
  const titles = ["#", "After", "Took", "Who", "What", "Object", "From"].map((title) => element("th", {}, title));
  const headRow = element("thead", {}, element("tr", {}, ...titles));
  return element("table", {}, element("caption", {}, "Steps"), headRow, element("tbody", {}, "\n", rows.join("\n")));
}

function stepRow(step: Step, { startedMs, index }: { startedMs: number; index: number }): string {
  const took = step.durationMs === undefined ? "" : spanText(step.durationMs);
  return element(
    "tr",
    { id: `step-${index + 1}`, class: classOf(step) },
    element("td", { class: "number" }, String(index + 1)),
    element("td", { class: "number" }, escaped(offsetText(step, startedMs))),
    element("td", { class: "number" }, took),
    element("td", {}, escaped(step.actor)),
    element("td", { class: "what" }, escaped(step.says)),
    element("td", {}, escaped(step.object)),
    element("td", { class: "from" }, escaped(step.source)),
  );
}

function totalTable(totals: readonly CallTotal[]): string[] {
  if (totals.length === 0) return [];
  const rows = totals.map(({ pod, method, code, count, seconds }) => {
    const cells = [method, code, String(count), seconds.toFixed(3), pod];
    return element("tr", {}, ...cells.map((cell) => element("td", {}, escaped(cell))));
  });
  const titles = ["Method", "Code", "Calls", "Seconds", "Pod"].map((title) => element("th", {}, title));
  return [
    element("h2", {}, "Calls for all volumes, as the Pods count them"),
    element("table", {}, element("thead", {}, element("tr", {}, ...titles)), element("tbody", {}, ...rows)),
  ];
}

function unreadList(unread: readonly string[]): string[] {
  if (unread.length === 0) return [];
  return [element("h2", {}, "Not read"), element("ul", {}, ...unread.map((each) => element("li", {}, escaped(each))))];
}
