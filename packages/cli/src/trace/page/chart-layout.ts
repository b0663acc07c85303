import { endOf, type Step } from "../step.ts";

export interface PlacedStep {
  readonly step: Step;
  /** Of the row in the table. */
  readonly index: number;
  /** Which lane from above. */
  readonly lane: number;
  readonly x: number;
  readonly endX: number;
}

export interface ChartLayout {
  readonly lanes: readonly string[];
  readonly placed: readonly PlacedStep[];
}

interface Span {
  readonly left: number;
  readonly right: number;
}

/** As much room as each step has at least, so that none hides another. */
const STEP_UNITS = 1;
const UNITS_A_SECOND = 4;
/** A volume may be in use for a year: longer times are drawn as this one. */
const LONGEST_SECONDS = 4;

/** A lane for each actor in the order of their first steps, and the steps from left to right. */
export function chartLayout(steps: readonly Step[], { left, right }: Span): ChartLayout {
  const lanes = [...new Set(steps.map(({ actor }) => actor))];
  const units = positions(steps);
  const last = Math.max(...units, 0) + STEP_UNITS;
  const xAt = (unit: number) => left + ((right - left) * unit) / last;
  const placed = steps.map((step, index) => ({
    step,
    index,
    lane: lanes.indexOf(step.actor),
    x: xAt(units[index] ?? 0),
    endX: xAt(endUnit(steps, units, index)),
  }));
  return { lanes, placed };
}

function positions(steps: readonly Step[]): readonly number[] {
  let unit = 0;
  let beforeMs = steps[0]?.atMs ?? 0;
  return steps.map(({ atMs }, index) => {
    const seconds = Math.min(Math.max(0, atMs - beforeMs) / 1000, LONGEST_SECONDS);
    if (index > 0) unit += STEP_UNITS + seconds * UNITS_A_SECOND;
    beforeMs = Math.max(beforeMs, atMs);
    return unit;
  });
}

/** Where the last of the steps stands that began before this one was over. */
function endUnit(steps: readonly Step[], units: readonly number[], index: number): number {
  const step = steps[index];
  const begun = units[index] ?? 0;
  if (step?.durationMs === undefined) return begun;
  const endMs = endOf(step);
  const next = steps.findIndex((other, at) => at > index && other.atMs >= endMs);
  return Math.max(begun + STEP_UNITS, next < 0 ? (units.at(-1) ?? begun) : (units[next] ?? begun));
}
