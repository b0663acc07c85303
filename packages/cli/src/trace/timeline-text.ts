import { type Paint, wrapped } from "../explain/text-layout.ts";
import type { CallTotal, Step, Timeline } from "./step.ts";
import { clockText, offsetText, spanText } from "./times.ts";

const OFFSET = 9;
const TOOK = 7;
const MOST_ACTOR = 19;
const WIDTH = 80;

interface Columns {
  readonly actor: number;
  /** Where the last column begins. */
  readonly indent: number;
}

/** No wider than the actors need. */
function columnsFor(steps: readonly Step[]): Columns {
  const actor = Math.max(3, ...steps.map((step) => shortened(step.actor).length));
  return { actor, indent: OFFSET + 1 + TOOK + 2 + actor + 2 };
}

/** For people: a line for each step, no wider than a terminal of 80 columns. */
export function timelineText(timeline: Timeline, paint: Paint): string {
  const { subject, state, startedMs, steps, totals, unread } = timeline;
  const head = `${paint.strong(subject)} is ${state}.`;
  const since = `${state === "gone" ? "First known of" : "Created"} ${clockText(startedMs)}.`;
  const columns = columnsFor(steps);
  const lines = [
    head,
    since,
    "",
    paint.faint(row(["after", "took", "who", "what"], columns)),
    ...steps.flatMap((step) => stepLines(step, { startedMs, columns, paint })),
    ...totalLines(totals),
    ...unreadLines(unread),
  ];
  return `${lines.join("\n")}\n`;
}

interface Look {
  readonly startedMs: number;
  readonly columns: Columns;
  readonly paint: Paint;
}

function stepLines(step: Step, { startedMs, columns, paint }: Look): string[] {
  const { indent } = columns;
  const [first = "", ...rest] = wrapped(breakable(wordsOf(step), WIDTH - indent), indent);
  const isWaiting = step.kind === "waiting";
  const offset = isWaiting ? "..." : offsetText(step, startedMs);
  const took = step.durationMs === undefined ? "" : spanText(step.durationMs);
  const colour = step.isTrouble ? paint.alarming : isWaiting ? paint.faint : (text: string) => text;
  return [row([offset, took, shortened(step.actor), first.slice(indent)], columns), ...rest].map((line) =>
    colour(line),
  );
}

type Cells = readonly [offset: string, took: string, actor: string, words: string];

function row([offset, took, actor, words]: Cells, columns: Columns): string {
  return `${offset.padStart(OFFSET)} ${took.padStart(TOOK)}  ${actor.padEnd(columns.actor)}  ${words}`.trimEnd();
}

/** Of which object, where the words do not say it. */
function wordsOf({ kind, says, object }: Step): string {
  if (kind !== "write" && kind !== "condition" && kind !== "event") return says;
  const [kindOfObject = "", key = ""] = object.split(" ");
  const name = key.slice(key.lastIndexOf("/") + 1);
  return kindOfObject === "Pod" ? `Pod ${name}: ${says}` : `${shortKinds[kindOfObject] ?? kindOfObject}: ${says}`;
}

const shortKinds: Readonly<Record<string, string>> = {
  PersistentVolumeClaim: "claim",
  PersistentVolume: "volume",
  VolumeAttachment: "attachment",
  VolumeSnapshot: "snapshot",
};

/** Names of controllers are known without the word. */
function shortened(actor: string): string {
  const name = actor.length > MOST_ACTOR ? actor.replace(/-controller$/u, "") : actor;
  return name.length > MOST_ACTOR ? `${name.slice(0, MOST_ACTOR - 1)}…` : name;
}

/** Names of volumes and paths may be longer than the column. */
function breakable(text: string, width: number): string {
  const piece = new RegExp(`.{1,${width}}`, "gu");
  return text
    .trim()
    .split(/\s+/u)
    .flatMap((word) => word.match(piece) ?? [])
    .join(" ");
}

function totalLines(totals: readonly CallTotal[]): string[] {
  if (totals.length === 0) return [];
  const lines = totals.flatMap(({ pod, method, code, count, seconds }) =>
    wrapped(breakable(`${method} ${code}: ${count} in ${seconds.toFixed(3)} s (Pod ${pod})`, WIDTH - 2), 2),
  );
  return ["", "Calls for all volumes, as the Pods count them:", ...lines];
}

function unreadLines(unread: readonly string[]): string[] {
  return unread.length === 0
    ? []
    : ["", "Not read:", ...unread.flatMap((each) => wrapped(breakable(each, WIDTH - 2), 2))];
}
