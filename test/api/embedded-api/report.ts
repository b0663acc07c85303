import type { Compared } from "./comparison.ts";

const MOST_SHOWN = 12;
const MOST_CHARACTERS = 500;

/** The differences of one sequence, for people. */
export function describeCompared({ area, sequence, differences }: Compared): string {
  const lines = differences
    .slice(0, MOST_SHOWN)
    .flatMap(({ at, real, embedded }) => [`  ${at}`, `    real     ${shown(real)}`, `    embedded ${shown(embedded)}`]);
  const more = differences.length > MOST_SHOWN ? [`  and ${differences.length - MOST_SHOWN} more`] : [];
  return [`✗ ${area}: ${sequence.name}`, ...lines, ...more].join("\n");
}

function shown(value: unknown): string {
  const text = value === undefined ? "nothing" : JSON.stringify(value);
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)} …` : text;
}
