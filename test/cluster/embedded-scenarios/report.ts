import type { Compared } from "./comparison.ts";

const MOST_SHOWN = 12;
const MOST_CHARACTERS = 900;

/** The differences of one scenario, for people. */
export function describeCompared({ area, name, differences }: Compared): string {
  const lines = differences
    .slice(0, MOST_SHOWN)
    .flatMap(({ at, real, embedded }) => [`  ${at}`, `    real     ${shown(real)}`, `    embedded ${shown(embedded)}`]);
  const more = differences.length > MOST_SHOWN ? [`  and ${differences.length - MOST_SHOWN} more`] : [];
  return [`✗ ${area}: ${name}`, ...lines, ...more].join("\n");
}

/** The scenarios that the real cluster did not end in the same way each time, for people; empty if there are none. */
export function describeChance(compared: readonly Compared[]): string {
  const played = compared.filter(({ realPlays }) => realPlays > 1);
  const lines = played.map(({ area, name, realPlays, varied }) => {
    const ways =
      varied.length === 0 ? "always alike where it came to its end" : `in several ways: ${varied.join(", ")}`;
    return `~ ${area}: ${name}: played ${realPlays} times on the real cluster, ${ways}`;
  });
  return lines.join("\n");
}

function shown(value: unknown): string {
  const text = value === undefined ? "nothing" : JSON.stringify(value);
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)} …` : text;
}
